# SPDX-License-Identifier: GPL-2.0
#
# What collect and run -o put into their archive: files of the collection, and what they leave
# out.

collection=''

# begin_collection: after new_file(), whose umask keeps what is in it for its owner alone
begin_collection() {
	collect_name=trace-irqoff-$(date -u +%Y%m%dT%H%M%SZ)
	collection=$tmp/$collect_name
	mkdir "$collection"
	: >"$collection/missing"
	keep_counters begin
}

# keep NAME COMMAND...: what it prints, as a file of the collection; "missing" says what could
# not be had, and why.
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

# Counters, that are kept twice.
COUNTERS="interrupts softirqs stat schedstat meminfo net/softnet_stat"

keep_counters() {
	for counters in $COUNTERS; do
		keep "${counters##*/}.$1" cat "/proc/$counters"
	done
}

processes() {
	if [ -n "$opt_arguments" ]; then
		ps -eo pid,ppid,cls,rtprio,psr,stat,time,comm,args || ps
	else
		ps -eo pid,ppid,cls,rtprio,psr,stat,time,comm ||
			ps -o pid,ppid,stat,time,comm
	fi
}

# Both places where kernels have had it.
sched_features() {
	cat /sys/kernel/debug/sched/features || cat /sys/kernel/debug/sched_features
}

# Where something is in the kernel's memory helps who attacks it, and nobody else.
without_addresses() {
	sed -E 's/(0x)?[fF]{4}[0-9a-fA-F]{12}/ADDRESS/g'
}

# They are a column of their own, also where the reader may not see them.
modules() {
	cat /proc/modules >"$tmp/modules" && sed 's/ 0x[0-9a-f]*//' "$tmp/modules"
}

# Command lines: of the kernel, and of processes, by audit.
kernel_log() {
	log_hides='audit.*(proctitle|execve|type=13(09|27)|argc=|a[0-9]+=)'
	[ -z "$opt_arguments" ] || log_hides='^$'
	dmesg | tail -n 500 | grep -viE "$log_hides" | without_addresses
}

# All files of the module.
collect_module() {
	for file in $FILES; do
		# Most of the time nothing is open, and there may be no records.
		cat "$P/$file" >"$collection/$file" ||
			echo "$file: cannot be read" >>"$collection/missing"
	done
}

# What else this host tells of itself.
collect_host() {
	keep host uname -n
	keep release uname -r
	keep boot_id cat /proc/sys/kernel/random/boot_id
	keep host_cpus host_cpus
	cgroups "$collection" >"$collection/cgroups"
	keep cmdline cat /proc/cmdline
	keep version cat /proc/version
	keep cpuinfo cat /proc/cpuinfo
	keep modules modules
	keep clocksource cat /sys/devices/system/clocksource/clocksource0/current_clocksource
	keep sched_features sched_features
	keep dmesg kernel_log
	keep processes processes
	keep uptime cat /proc/uptime
	keep helper command_version
}

redact() {
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
	for mode in text json; do
		name=report
		[ $mode = text ] || name=report.json
		# In a shell of its own, which may die.
		# shellcheck disable=SC2046 # no number has a blank
		(report "$collection" $mode top=20 \
			$(run_numbers "$collection" "base_seq|happened|spent")) >"$tmp/report" ||
			[ $? = $FOUND_WINDOWS ] || echo "$name: could not be made" >>"$collection/missing"
		mv "$tmp/report" "$collection/$name"
	done

	tar -C "$tmp" -czf - "$collect_name" >&5 ||
		die "tar failed; what was collected is lost"
	finish_file "$1"
	if [ -s "$collection/missing" ]; then
		say "this host does not have, or does not show:"
		cat "$collection/missing" >&2 || :
	fi
}

# own_records FILE: those of the run
own_records() {
	awk -F '[ =]' -v base="$base_seq" '$2 + 0 > base + 0' "$1"
}

# collect_run FILE: the run that has ended, with its windows, and what belongs to them
collect_run() {
	for file in $EVIDENCE; do
		[ ! -e "$run_dir/$file" ] || cat "$run_dir/$file" >"$collection/$file"
	done
	own_records "$run_dir/records" >"$collection/records"
	collect_host
	pack_collection "$1"
	say "the run is in $1"
}
