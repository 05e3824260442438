# SPDX-License-Identifier: GPL-2.0
#
# report ARCHIVE: collect wrote the archive, or an attacker did. tar writes no file: its
# output has the contents of the members that are regular files with a name in $EVIDENCE. Links,
# devices, and names that lead elsewhere are ignored.

ARCHIVE_MAX=268435456	# bytes, of all of it
MEMBER_MAX=134217728	# bytes, of one file: 65,536 records, which is the maximum

# archive FILE TAR-OPTION...: print what tar prints
archive() {
	archive_file=$1
	shift
	{
		gzip -dc <"$archive_file" 2>/dev/null || : >"$tmp/archive.cut"
	} | head -c $ARCHIVE_MAX | tar "$@" 2>/dev/null
}

# unpack FILE NAME: the files of a report, into $tmp. Messages call it NAME.
unpack() {
	# The name is the last word: the columns before it differ. None of our names has a blank.
	{
		archive "$1" -tvf - || : >"$tmp/archive.cut"
	} | head -n 4096 | awk '/^-/ && NF > 5 { print $NF }' >"$tmp/members"
	grep -xE '(\./)?([A-Za-z0-9][A-Za-z0-9._-]*/)?records' "$tmp/members" >"$tmp/found" ||
		die "$2 is no archive of collect (a .tar.gz with a file records)"
	read_line "$tmp/found"
	member_dir=${line%records}
	[ "$(wc -l <"$tmp/found")" = 1 ] ||
		say "$2 has several runs: this report is of $member_dir. Unpack it for the others"
	[ ! -e "$tmp/archive.cut" ] ||
		say "$2 is damaged, cut, or too large: the report may be wrong. Copy it again"
	for file in $EVIDENCE; do
		grep -qxF "$member_dir$file" "$tmp/members" || continue
		archive "$1" -xOf - "$member_dir$file" | head -c $MEMBER_MAX |
			short_lines >"$tmp/$file"
	done
}
