# SPDX-License-Identifier: GPL-2.0
#
# The report, which an awk program makes from the module's files, and what it needs besides
# them. That program is in scripts/report.

# program_file NAME: the awk program NAME as a file, as it may be longer than an argument can
# be. Its path is in $program.
program_file() {
	program=$tmp/$1.awk
	[ -e "$program" ] || awk_program "$1" >"$program" || {
		rm -f "$program"
		say "cannot write $program"
		return 1
	}
}

# Where cgroup v2 is mounted, alone or beside v1.
cgroup_root() {
	awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts
}

# cgroup_ids RECORDS: on one line, each once
cgroup_ids() {
	awk -F ' cgroup=' 'split($2, id, " ") && !seen[id[1]]++ { printf "%s ", id[1] }' "$1"
}

# cgroups DIRECTORY: "ID PATH" of all cgroups that its records name; "ID" alone is gone. The ID
# is the number of the directory's inode.
cgroups() {
	cgroups_ids=$(cgroup_ids "$1/records")
	[ -n "$cgroups_ids" ] || return 0
	cgroups_root=$(cgroup_root)
	[ -n "$cgroups_root" ] || return 0
	program_file cgroups
	find "$cgroups_root" -type d -exec stat -c '%i %n' {} + 2>/dev/null |
		awk -v ids="$cgroups_ids" -v root="$cgroups_root" -f "$program"
}

# make_report AWK-ARGUMENT...: with what the environment has to tell
make_report() {
	read_host
	! read_line "$report_from/host" || host_name=$line
	! read_line "$report_from/release" || host_release=$line
	! read_line "$report_from/boot_id" || host_boot_id=$line
	REPORT_VERSION=$VERSION REPORT_HOST=$host_name REPORT_RELEASE=$host_release \
		REPORT_BOOT_ID=$host_boot_id \
		awk -v mode="$report_mode" "$@" </dev/null
}

# What the report reads, in this order.
REPORT_FILES="cgroups host_cpus status.before status histogram.before histogram active records pinglog"

# report DIRECTORY MODE [VARIABLE=VALUE]...: what its files say; fails with 3 when there are
# windows. Files that are not there are left out, but for records. The program reads them as
# what=NAME, in this order, and prints them as mode=text, json, jsonl, folded, trace, live, lines, worst,
# metrics, open or ping.
report() {
	report_from=$1 report_mode=$2
	shift 2
	for report_variable; do
		set -- "$@" -v "$report_variable"
		shift
	done
	program_file report
	# Of all the time, unless it is said otherwise.
	set -- -v base_seq=0 "$@" -f "$program"
	for file in $REPORT_FILES; do
		[ ! -e "$report_from/$file" ] || set -- "$@" "what=$file" "$report_from/$file"
	done
	# By way of a file, as not every awk tells when it could not write; nor to that file, but then
	# there is no room after it either.
	report_status=0 report_failed=
	make_report "$@" >"$tmp/printed" 2>"$tmp/awk.err" || report_status=$?
	case $report_status in
	0 | "$FOUND_WINDOWS") ;;
	*) report_failed=1 ;;
	esac
	if ! { printf '%4096s' '' >"$tmp/room" && printf '' >"$tmp/room"; } 2>/dev/null; then
		make_report "$@"
		return
	fi
	[ -z "$report_failed" ] || {
		cat "$tmp/awk.err" >&2
		die "the report could not be made"
	}
	cat "$tmp/printed" || {
		# Who has seen enough, "report | head", needs no message.
		[ $? = 141 ] && exit 141
		die "the report could not be written"
	}
	return "$report_status"
}

# short_lines: stdin, the lines being cut. mawk takes minutes to read one of a hundred million bytes,
# and none of ours is a fourth as long as this.
short_lines() {
	cut -b 1-262144
}

# keep_files FROM: all that a report is made of, as it is at this moment, into $tmp
keep_files() {
	for file in $EVIDENCE; do
		if is_input "$1/$file"; then
			short_lines <"$1/$file" >"$tmp/$file" || return 1
		elif [ -e "$1/$file" ] || [ -L "$1/$file" ]; then
			say "$1/$file is left alone: it is no regular file"
		fi
	done
}

# take_files FROM: likewise, of the module, of a directory where they have been kept, or of an
# archive. Cgroups of another host are not looked for on this one. Sets kept_in.
take_files() {
	kept_in=$tmp
	if [ "$1" = "$P" ]; then
		need_loaded
		keep_files "$P"
		of_this_host "$tmp"
	elif [ -f "$1" ]; then
		unpack "$1"
	else
		if ! is_input "$1/records" || [ ! -r "$1/records" ]; then
			die "$1: there are no records in there"
		fi
		keep_files "$1"
	fi
}

# of_this_host DIRECTORY: what belongs to the files of the module there
of_this_host() {
	cgroups "$1" >"$1/cgroups" 2>/dev/null && host_cpus >"$1/host_cpus" 2>/dev/null
}

# Which CPUs there are, to tell which of them were not watched and why.
host_cpus() {
	for host_list in present online isolated nohz_full; do
		! read_line "$CPUS/$host_list" || echo "$host_list: $line"
	done
}
