# SPDX-License-Identifier: GPL-2.0
#
# What collect puts into its archive: files of the collection, and what they leave out.


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

# difference NAME: lines of which a number has changed, each number as by how much. A line is
# difference NAME: by how much the counters of that file have grown
difference() {
	program_file difference
	difference_hex=0
	[ "$1" != softnet_stat ] || difference_hex=1
	awk -v hex="$difference_hex" -f "$program" "$collection/$1.begin" "$collection/$1.end"
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
	[ -z "$opt_redact" ] || log_hides="command line|$log_hides"
	dmesg | tail -n 500 | grep -viE "$log_hides" | without_addresses
}
