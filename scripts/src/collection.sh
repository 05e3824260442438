# SPDX-License-Identifier: GPL-2.0
#
# The archives of collect and run -o: the files in it, and what is left out of them.

collection=''

# new_collection NAME: set collection to a new directory
new_collection() {
	collect_name=trace-irqoff-$1
	collection=$tmp/$collect_name
	mkdir "$collection"
}

# begin_collection: after new_file(), whose umask keeps these files private
begin_collection() {
	new_collection "$(date -u +%Y%m%dT%H%M%SZ)"
	: >"$collection/missing"
	keep_counters begin
}

# keep NAME COMMAND...: its output becomes a file of the collection, or the file "missing" says why not
keep() {
	keep_name=$1
	shift
	if ! "$@" >"$collection/$keep_name" 2>"$tmp/keep.err" ||
		[ ! -s "$collection/$keep_name" ]; then
		keep_why=$(tail -n 1 "$tmp/keep.err")
		echo "$keep_name: ${keep_why:-nothing there}" >>"$collection/missing"
		[ -s "$collection/$keep_name" ] || rm -f "$collection/$keep_name"
	fi
}

# keep_counters SUFFIX: the same counters, at the begin and at the end. A run has kept two of these files.
keep_counters() {
	for counters in interrupts softirqs stat schedstat meminfo net/softnet_stat; do
		[ -s "${run_dir:-/none}/$counters.$1" ] || keep "${counters##*/}.$1" cat "/proc/$counters"
	done
}

# processes: without their arguments, which can contain passwords
processes() {
	ps -eo pid,ppid,cls,rtprio,psr,stat,time,comm || ps -o pid,ppid,stat,comm
}

# kernel_log: of audit, only denials of AppArmor and SELinux (1400): others have command lines. Without
# kernel addresses, which begin with ff: with 5-level paging ff11... and ffa0..., on arm64 fff0...
kernel_log() {
	dmesg | tail -n 500 | awk 'tolower($0) !~ /audit/ || / type=1400 /' |
		sed -E 's/(0x)?[fF]{2}[0-9a-fA-F]{14}/ADDRESS/g'
}

# collect_module: its files. "active" and "records" may be empty.
collect_module() {
	for file in $FILES; do
		cat "$P/$file" >"$collection/$file" 2>/dev/null ||
			echo "$file: cannot be read" >>"$collection/missing"
	done
}

# collect_host: the state of this host
collect_host() {
	name_host "$collection"
	keep host_cpus host_cpus
	cgroups "$collection" >"$collection/cgroups"
	[ -e "$collection/suspects" ] || look_at_suspects "$collection"
	keep cmdline cat /proc/cmdline
	keep version cat /proc/version
	keep cpuinfo cat /proc/cpuinfo
	# Without addresses, which only help an attacker.
	keep modules sed 's/ 0x[0-9a-f]*//' /proc/modules
	keep clocksource cat /sys/devices/system/clocksource/clocksource0/current_clocksource
	keep dmesg kernel_log
	keep processes processes
	keep uptime cat /proc/uptime
	keep helper command_version
}

# redact: remove the files that are not known to be harmless
redact() {
	# The names of units and containers. Without room, sed fails, and leaves them there.
	sed -i '/^task /d' "$collection/suspects" 2>/dev/null || rm -f "$collection/suspects"
	for file in "$collection"/*; do
		redact_name=${file##*/}
		for redact_kept in $KEPT_IF_REDACTED; do
			[ "$redact_kept" != "$redact_name" ] || redact_name=
		done
		[ -z "$redact_name" ] || rm -f "$file"
	done
	echo redacted >"$collection/host"
}

# pack_collection FILE
pack_collection() {
	[ -z "$opt_redact" ] || redact
	kept_in=$collection
	for name in report report.json page.html; do
		case $name in
		report) mode=text ;;
		*) mode=${name#*.} ;;
		esac
		# In a subshell: it may die.
		(kept_report "$mode" top=20) >"$tmp/report" ||
			[ $? = $FOUND_WINDOWS ] ||
			echo "$name: could not be made" >>"$collection/missing"
		mv "$tmp/report" "$collection/$name"
	done

	tar -C "$tmp" -czf - "$collect_name" >&5 ||
		die "cannot write $1: tar failed. The incomplete file is removed"
	finish_file "$1"
	if [ -s "$collection/missing" ]; then
		say "these files of the archive are missing on this host:"
		cat "$collection/missing" >&2 || :
	fi
}

# collect_kept DIRECTORY BASE-SEQ: the files of a run, without the records from before it
collect_kept() {
	for file in $EVIDENCE; do
		[ ! -e "$1/$file" ] || cat "$1/$file" >"$collection/$file"
	done
	awk -F '[ =]' -v base="$2" '$2 + 0 > base + 0' "$1/records" >"$collection/records"
}

# collect_run FILE: the run that has ended, with the records of the run alone
collect_run() {
	collect_kept "$run_dir" "$base_seq"
	collect_host
	pack_collection "$1"
	say "the run is in $1"
	need_room
}
