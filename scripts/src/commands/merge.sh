# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# trace-irqoff merge: the archives of many hosts. The program scripts/merge.jq does the work.

# report_line ARCHIVE: print its name, a tab and its report.json in one line, without the windows: a 0
# stands for those that are open
report_line() {
	printf '%s\t' "$1"
	member=$(archive "$1" -tf - | grep -m 1 -xE '(\./)?([A-Za-z0-9][A-Za-z0-9._-]*/)?report[.]json') || :
	[ -z "$member" ] || archive "$1" -xOf - "$member" | head -c $MEMBER_MAX | short_lines |
		awk '/^"open":\[/ { printf "\"open\":[%s]}", ($0 ~ /\]/ ? "" : "0"); exit }
			{ printf "%s", $0 }'
	echo
}

command_merge() {
	command -v jq >/dev/null || die "merge needs jq (Debian: apt-get install jq)"
	make_tmp
	print_merge >"$tmp/merge.jq"
	printf '%s' "$operands" >"$tmp/operands"
	while IFS= read -r name; do
		case $name in
		*[!\ -~]*) die "$(printf %s "$name" | tr -c ' -~' '?'): rename it, to a name of ASCII characters" ;;
		esac
		if [ -f "$name" ] && [ -r "$name" ]; then
			report_line "$name"
		else
			printf '%s\t\n' "$name"
		fi
	done <"$tmp/operands" >"$tmp/lines"
	jq -nRr --arg output "$opt_format" --argjson top "$opt_top" -f "$tmp/merge.jq" "$tmp/lines" || {
		# The reader has left, as in "merge ... | head".
		[ $? = 141 ] && exit 141
		exit $ERROR
	}
}
