#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# kernels: newest
# Load and unload: the files, and the parameters.
. "$(dirname "$0")/../module.sh"
start_test

# load_refused REASON PARAMETER: the load fails, and the kernel log has the reason
load_refused() {
	if load "$2" 2>/dev/null; then
		unload
		echo "was accepted"
		return 1
	fi
	[ ! -e "$P" ] && ! loaded trace_irqoff &&
		dmesg | tail -n 1 | grep -F "trace_irqoff: invalid parameter $2: " |
		grep -F -e "$1"
}

expect "only root can read and enter the directory" same 500 "$(stat -c %a $P)"
expect "status has the number of the format" grep -qx "format: 2" $P/status
for file in $FILES; do
	mode=400
	case " $WRITABLE " in
	*" $file "*) mode=600 ;;
	esac
	expect "the mode of $file is $mode" same $mode "$(stat -c %a "$P/$file")"
done
expect "there are no other files" same "$(echo "$FILES" | wc -w)" "$(find $P -type f | wc -l)"
expect "after load, tracing is disabled" reads enable disabled
expect "after load, the period is 10 ms" reads sampling_period 10ms
expect "after load, the threshold is 50 ms" same 50ms "$(value threshold status)"
expect "after load, CPUs that are all idle are checked every 50 ms" \
	same 50ms "$(value bounds_idle status)"
expect "after load, there is room for 1024 records" same 1024 "$(value nr_records status)"

unload
expect "unload removes the directory" test ! -e $P

load enable=1 sampling_period=1 threshold=5ms nr_records=7 cpus=0
expect "enable=1 enables tracing at load" reads enable enabled
expect "sampling_period=1 is 1 ms" reads sampling_period 1ms
expect "threshold=5ms is 5 ms" same 5ms "$(value threshold status)"
expect "nr_records=7 is room for 7 records" same 7 "$(value nr_records status)"
expect "cpus=0 is CPU 0" reads cpus 0
for parameter in enable sampling_period threshold cpus nosched; do
	expect "sysfs does not show $parameter, which a write to /proc may have changed" \
		test ! -e /sys/module/trace_irqoff/parameters/$parameter
done
expect "all users can read the others" same 444 \
	"$(stat -c %a /sys/module/trace_irqoff/parameters/* | sort -u)"

exec 3<$P/trace_latency 4<$P/status 5>$P/enable
read -r line <&3
expect "an open file can be read" same "trace_irqoff_latency: 5ms" "$line"
expect "the module can be unloaded while files are open and tracing is enabled" unload
expect "after unload, a read of an open file returns nothing" test -z "$(cat <&4 2>/dev/null)"
expect "after unload, a write to an open file fails" sh -c '! echo 0 2>/dev/null >&5'
exec 3<&- 4<&- 5>&-

expect "sampling_period=abc is refused" load_refused EINVAL sampling_period=abc
expect "sampling_period=2s is refused" load_refused ERANGE sampling_period=2s
expect "threshold=1 below twice the period is refused" load_refused EINVAL threshold=1
expect "cpus=4096 is refused" load_refused ERANGE cpus=4096
expect "nr_records=0 is refused" load_refused "1 to 65536" nr_records=0
expect "nr_records=65537 is refused" load_refused "1 to 65536" nr_records=65537

# 65536 records take 275 MB.
load nr_records=65536 enable=1 sampling_period=1ms threshold=2ms
inject_times 5 hardirq 3000 0
put 0 enable
kept=$(value records_kept status)
expect "nr_records=65536: windows are recorded" between 5 "$kept" 1000
expect "nr_records=65536: all records can be read" same "$kept $kept" \
	"$(count) $(grep -c 'COMMAND: .* MAX: ' "$P/trace_latency")"
unload

T=/sys/kernel/tracing
echo 1 >$T/events/percpu/percpu_alloc_percpu/enable
load
echo 0 >$T/events/percpu/percpu_alloc_percpu/enable
bytes=$(sed -n 's/.*insmod.*: percpu_alloc_percpu: .* size=\([0-9]*\) .*/\1/p' $T/trace |
	awk '{ sum += $1 } END { print sum + 0 }')
note "$bytes bytes for each CPU"
expect "the module takes at most 24 KB for each possible CPU" between 1024 "$bytes" 24576
finish
