# SPDX-License-Identifier: GPL-2.0
#
# The report: an awk program in scripts/report makes it from the files that these functions collect.

# find_cgroups: set cgroups_root to where the hierarchy of version 2 is mounted, or to nothing
find_cgroups() {
	cgroups_root=
	while read -r _ mount_dir mount_type _; do
		[ "$mount_type" != cgroup2 ] || cgroups_root=${cgroups_root:-$mount_dir}
	done 2>/dev/null <"$ROOT/proc/mounts" || :
}

# cgroups DIRECTORY: print "ID PATH" of all cgroups that its records name, or "ID" of those that are
# gone. An ID is the inode number of a directory.
cgroups() {
	cgroups_ids=$(awk -F ' cgroup=' \
		'split($2, id, " ") && !seen[id[1]]++ { printf "%s ", id[1] }' "$1/records")
	[ -n "$cgroups_ids" ] || return 0
	find_cgroups
	[ -n "$cgroups_root" ] || return 0
	find "$ROOT$cgroups_root" -type d -exec stat -c '%i %n' {} + 2>/dev/null |
		awk -v ids="$cgroups_ids" -v root="$ROOT$cgroups_root" '
			BEGIN {
				for (n = split(ids, id, " "); n > 0; n--)
					wanted[id[n]] = 1
			}
			$1 in wanted {
				path = substr($0, length($1) + 2 + length(root))
				print $1, path == "" ? "/" : path
				delete wanted[$1]
			}
			END {
				for (gone in wanted)
					print gone
			}'
}

# check_own NAME WRONG WHAT SAMPLE: set own to the file NAME of this host, or to nothing. Dies if a line is
# WRONG, or if awk refuses a pattern.
check_own() {
	own=$ETC/$1
	[ "$report_mode" != metrics ] && [ -f "$own" ] && [ -r "$own" ] || own=
	[ -z "$own" ] || awk -F '\t' "{ sub(/\\r\$/, \"\") } /^(#|\$)/ { next } $2 { exit 1 }" "$own" 2>/dev/null ||
		die "$own: each line $3, with tabs between them. See scripts/$4 in the sources"
}

# make_report AWK-ARGUMENT...: with the names of the host. Files of another one may lack its name.
make_report() {
	if [ "$report_from" = "$P" ] || [ "$report_mode" = explain ]; then
		read_host
	else
		host_name=unknown host_release=unknown host_kernel_version='' host_boot_id='' host_hardware=unknown
	fi
	! read_line "$report_from/host" || host_name=$line
	! read_line "$report_from/release" || host_release=$line
	! read_line "$report_from/kernel_version" || host_kernel_version=$line
	! read_line "$report_from/boot_id" || host_boot_id=$line
	! read_line "$report_from/hardware" || host_hardware=$line
	# A CPU that is stuck may delay awk: it must not keep the session open.
	REPORT_VERSION=$VERSION REPORT_HOST=$host_name REPORT_RELEASE=$host_release \
		REPORT_BOOT_ID=$host_boot_id REPORT_HARDWARE=$host_hardware REPORT_FRAMES=$own_frames REPORT_CAUSES=$own_causes \
		REPORT_KERNEL_VERSION=$host_kernel_version REPORT_ONLY_COMM=${opt_comm:-} REPORT_ONLY_CGROUP=${opt_cgroup:-} \
		REPORT_ONLY_FUNCTION=${opt_function:-} \
		awk -v mode="$report_mode" "$@" </dev/null 8>&-
}

# has_room: whether a file in $tmp can be written
has_room() {
	{ printf '%4096s' '' >"$tmp/room" && printf '' >"$tmp/room"; } 2>/dev/null
}

# need_room: clean_up() says why this program ends
need_room() {
	has_room || exit $ERROR
}

# report DIRECTORY MODE [VARIABLE=VALUE]...: print what its files say, those that exist; fails with
# 3 when there are windows. scripts/report/main.awk has the modes and variables.
report() {
	report_from=$1 report_mode=$2
	shift 2
	for report_variable; do
		set -- "$@" -v "$report_variable"
		shift
	done
	# shellcheck disable=SC2016 # for awk
	check_own frames 'NF != 3 || $2 == "" || "" ~ ("^(" $2 ")$") ||
		$1 !~ /^(common|helper|end|softirq|interrupt|return|begin|lock|cpus|switch)$/' \
		"is a class, a pattern and a reason" report/frames
	own_frames=$own
	# shellcheck disable=SC2016 # for awk
	check_own causes.tsv 'NF < 9 || NF > 10 || $1 == "" || $2 !~ /^((hardirq|softirq|nosched)(,|$))+$/ ||
		"" ~ ("^(" $1 ")$") || "" ~ ("^(" $3 ")$") || $5 !~ /^(-|[1-9][0-9.rc, -]*)$/ ||
		NF == 10 && $10 !~ /^(-|[1-9][0-9.rc, -]*)$/' "has nine or ten fields" causes.tsv
	own_causes=$own
	# By default, all records.
	from_log=''
	[ ! -e "$tmp/log-lines" ] || [ -e "$report_from/panics" ] || from_log=1
	[ ! -e "$report_from/from_log" ] || from_log=1
	set -- -v base_seq=0 -v from_log="$from_log" "$@" -f "$tmp/report.awk"
	# Open windows come first. Those of a kernel log or a dump have the number 0, and come first there.
	read_line "$report_from/records" || :
	[ "$line" = "${line#seq=0 }" ] || set -- "$@" what=open "$report_from/records"
	for file in $EVIDENCE; do
		[ ! -e "$report_from/$file" ] || set -- "$@" "what=$file" "$report_from/$file"
	done
	# Into a file first: not every awk fails when it cannot write. Nor does it then for this
	# file, but after that there is no room for another one.
	report_status=0
	make_report "$@" >"$tmp/printed" 2>"$tmp/awk.err" || report_status=$?
	if ! has_room; then
		make_report "$@"
		return
	fi
	case $report_status in
	0 | "$FOUND_WINDOWS") ;;
	"$NOTHING_READ") die "no line of the records could be read" ;;
	*)
		cat "$tmp/awk.err" >&2
		die "the report could not be made: awk failed" ;;
	esac
	cat "$tmp/printed" || output_failed "the report could not be written"
	return "$report_status"
}

# short_lines: mawk takes minutes to read a line of 100 MB; the module's lines have less than 64 KB
short_lines() {
	cut -b 1-65536
}

nr_hosts=1	# that the input has; of several, each has a directory $tmp/host.N

# take_lines FROM: split JSON lines of follow in $tmp/stream into files of each host
take_lines() {
	command -v jq >/dev/null || die "$1 has JSON lines, which need jq (Debian: apt-get install jq)"
	print_lines >"$tmp/lines.jq"
	short_lines <"$tmp/stream" | jq -nRr -f "$tmp/lines.jq" >"$tmp/lines" ||
		die "$1: the JSON lines could not be read: jq failed"
	read -r nr_hosts nr_others <"$tmp/lines"
	[ "$nr_hosts" -gt 0 ] || ! grep -q '"MESSAGE"' "$tmp/stream" ||
		die "$1 is JSON of the journal. Its text can be read: journalctl -k | trace-irqoff report -"
	[ "$nr_hosts" -gt 0 ] || die "$1: no line of it is a window that follow has printed"
	[ "$nr_hosts" -le 1000 ] || die "$1 has windows of $nr_hosts hosts: at most 1000 are possible"
	[ "$nr_others" = 0 ] || say "$1: lines that are no windows of follow, and are left out: $nr_others"
	# TMPDIR may have blanks, and awk would replace its backslashes.
	(
		cd "$tmp"
		# shellcheck disable=SC2046 # numbers
		mkdir $(awk -v n="$nr_hosts" 'BEGIN { for (i = 1; i <= n; i++) print "host." i }')
		awk -F '\t' 'NR > 1 {
			file = "host." $1 "/" $2
			if (file != last)
				close(last)
			print $3 >>file
			last = file
		}' lines
	) || die "$1: the JSON lines could not be read: no room in ${tmp%/*}, or awk failed"
	[ "$nr_hosts" -gt 1 ] || mv "$tmp/host.1"/* "$tmp"
}

# log_records DIRECTORY: make its file records of what log.awk wrote there; fails if that is nothing
log_records() {
	if [ -e "$1/panics" ]; then
		# As exact as the file records: what a watchdog printed of the same stalls adds nothing.
		grep '^seq=0 ' "$1/panics" >"$1/records" || :
		grep -v '^seq=0 ' "$1/panics" >>"$1/records" || :
	elif [ -e "$1/dumps" ]; then
		sort -s -k 3.5,3n -k 2.5,2n "$1/dumps" | awk '{ print "seq=" NR, $0 }' >"$1/records"
	else
		return 1
	fi
}

# take_log FROM [UNPACKER]: stalls and records of panics in a kernel log, of which $tmp/stream is the beginning
take_log() {
	[ -z "${2:-}" ] || command -v "$2" >/dev/null || die "$1 needs $2, which is not installed"
	print_log_lines | sed '/^#/d; /^$/d' >"$tmp/log-lines"
	print_log_reader >"$tmp/log.awk"
	print_log_splitter >"$tmp/log-split.awk"
	# dmesg changes the colour after ": ".
	log_pattern=$(cut -f 2 "$tmp/log-lines" | paste -s -d '|' - | sed "s/: /: ($(printf '\033')\\\\[[0-9;]*m)*/g")
	# grep is faster than awk. It passes only the lines of log-lines, and the 300 after each: backtraces.
	{
		cat "$tmp/stream"
		if [ "$1" = - ]; then
			cat
		elif [ -f "$1" ]; then
			tail -c +$((ARCHIVE_MAX + 1)) -- "$1"
		fi
	} | ${2:-cat} ${2:+-dc} 2>/dev/null | tr -d '\0' | short_lines |
		grep -a -E -A 300 "$log_pattern" |
		(cd "$tmp" && awk -v to=boot. -v reader="awk -v today=$(date +%Y-%m-%d) -f log.awk log-lines" -f log-split.awk >counts) ||
		die "$1: awk failed on it"
	! read_line "$tmp/counts" || say "$1: $line"
	nr_hosts=0
	for boot in "$tmp"/boot.*; do
		! log_records "$boot" || mv "$boot" "$tmp/host.$((nr_hosts += 1))"
	done
	[ "$nr_hosts" != 0 ] || for boot in "$tmp"/boot.*/facts; do
		[ ! -e "$boot" ] || mv "${boot%/facts}" "$tmp/host.$((nr_hosts += 1))"
	done
	[ "$nr_hosts" != 0 ] ||
		die "$1 is no archive of collect (a .tar.gz), does not begin with a record or a line of follow, and is no kernel" \
			"log with a soft lockup, a hard LOCKUP, an RCU stall, or lines \"trace_irqoff: panic\""
	[ "$nr_hosts" -gt 1 ] || mv "$tmp/host.1"/* "$tmp"
}

# is_archive FILE: a gzip file with a tar archive
is_archive() {
	[ "$(gzip -dc "$1" 2>/dev/null | head -c 262 | tail -c 5)" = ustar ]
}

# warn_if_cut FROM: if $tmp/stream is not all of it
warn_if_cut() {
	[ "$(wc -c <"$tmp/stream")" -lt $ARCHIVE_MAX ] ||
		say "$1 is too large: the report is of its first $((ARCHIVE_MAX / 1000000)) MB. Split it, for example by host or day"
}

# take_stream FROM: an archive, records alone, JSON lines or a kernel log, from a file, a pipe or stdin ("-")
take_stream() {
	[ "$1" = - ] || [ -e "$1" ] || die "$1: no such file or directory"
	head -c $ARCHIVE_MAX -- "$1" >"$tmp/stream" 2>/dev/null || {
		need_room
		die "$1 cannot be read. Archives are readable by their owner only, mostly root"
	}
	case $(head -c 4 "$tmp/stream" | od -An -t x1 | tr -d ' ') in
	1f8b*)
		if is_archive "$tmp/stream"; then
			unpack "$tmp/stream" "$1"
		else
			take_log "$1" gzip
		fi ;;
	fd37*) take_log "$1" xz ;;
	28b5*) take_log "$1" zstd ;;
	7365713d)	# "seq="
		warn_if_cut "$1"
		short_lines <"$tmp/stream" >"$tmp/records" ;;
	7b0a*) die "$1 is JSON of several lines. Of a kernel log, the text can be read: dmesg | trace-irqoff report -" ;;
	7b22*)	# {"
		warn_if_cut "$1"
		take_lines "$1" ;;
	'') die "$1 is empty: there are no records in it" ;;
	*)
		! grep -qE '^ *MESSAGE=' "$tmp/stream" ||
			die "$1 has fields of the journal. Its text can be read: journalctl -k | trace-irqoff report -"
		take_log "$1" ;;
	esac
	rm -f "$tmp/stream"
}

# take_files FROM: copy the files of a report into $tmp, from the module, a directory, an archive or
# stdin, and set kept_in. Names of cgroups come from this host only for the module's own files.
take_files() {
	kept_in=$tmp
	if [ "$1" = "$P" ]; then
		need_loaded
	elif [ ! -d "$1" ]; then
		take_stream "$1"
		return
	elif ! is_input "$1/records" || [ ! -r "$1/records" ]; then
		die "$1: there is no file records in there, or it cannot be read. Of several runs, give the directory of one;" \
			"to list those of this host: trace-irqoff report --list"
	fi
	for file in $EVIDENCE; do
		if is_input "$1/$file" && [ -r "$1/$file" ]; then
			short_lines <"$1/$file" >"$tmp/$file"
		elif [ -e "$1/$file" ] || [ -L "$1/$file" ]; then
			say "$1/$file is left alone: it is no regular file, or it cannot be read"
		fi
	done
	[ "$1" != "$P" ] || { of_this_host "$tmp" && look_at_suspects "$tmp"; }
}

# of_this_host DIRECTORY: add what explains the files of the module there
of_this_host() {
	cgroups "$1" >"$1/cgroups" 2>/dev/null && host_cpus >"$1/host_cpus" 2>/dev/null &&
		name_host "$1" || return
	facts=$(kernel_counts | while read -r kind count; do
		[ "$count" = 0 ] ||
			echo "also $count $kind reports since boot (to explain them: dmesg | trace-irqoff report -)"
	done)
	[ -z "$facts" ] || echo "$facts" 2>/dev/null >"$1/facts"
}

# host_cpus: print which CPUs there are, to tell which of them are not monitored and why
host_cpus() {
	for host_list in present online isolated nohz_full; do
		! read_line "$CPUS/$host_list" || echo "$host_list: $line"
	done
}

# print_page [VARIABLE=VALUE]...: one HTML file with the report, its data, and the script that shows them,
# of what is in $kept_in; fails with 3 when there are windows
print_page() {
	page_status=0
	kept_report page "$@" top=20 >"$tmp/page" || page_status=$?
	need_room
	page_mark=$(printf '\001')
	# No text of the data can end the element that contains it.
	{
		sed "/^$page_mark\$/,\$d; s/&/\\&amp;/g; s/</\\&lt;/g" "$tmp/page" >"$tmp/page.text" &&
			sed "1,/^$page_mark\$/d; s/</\\\\u003c/g" "$tmp/page" >"$tmp/page.data" &&
			print_page_frame | sed -e "/^@TEXT@\$/{r $tmp/page.text" -e 'd;}' \
				-e "/^@DATA@\$/{r $tmp/page.data" -e 'd;}'
	} || output_failed "the page could not be written"
	return $page_status
}
