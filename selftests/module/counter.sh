#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock arm64 nmi-arm64
# kernels: newest newest-arm64 nmi-arm64
# long: smp COUNT=100
# CPUs look at themselves, by an NMI of a counter of cycles (parameter cycles): COUNT windows
# (default 10) are looked into, also those of all CPUs at once. That can be tried where a VM has such
# a counter whose interrupt is an NMI, on nmi-arm64; elsewhere status says what is missing.
. "$(dirname "$0")/../lib.sh"
start_test
need_cpus 2
stay_on_cpu0

COUNT=${COUNT:-10}
CYCLES=4000000	# 4 ms of such a VM
BOTH=$(cat /sys/devices/system/cpu/online)
CPU1=/sys/devices/system/cpu/cpu1/online

counter() {
	value counter status
}

counter_is() {
	same "$1" "$(counter)"
}

# The counters of a VM of x86 are missing; those of Debian's arm64 have ordinary interrupts.
case $(uname -r) in
*-nmi) expected=on ;;
*-arm64) expected="off (its interrupt is no NMI)" ;;
*) expected="off (no counter)" ;;
esac

# load_counting CYCLES
load_counting() {
	unload
	load cycles="$1"
}

# The looks of all hardirq windows of CPU $1 that are recorded, those in what the test module does.
looks_of() {
	records kind=hardirq cpu="$1" | looks | grep -c inject_hardirq
}

# How many of the windows of the test module that are recorded have such a look.
looked_into() {
	records kind=hardirq | grep -c ' sample=[^ ]*inject_hardirq'
}

refused_to_load() {
	! load_counting 99999 2>/dev/null
}

if [ "$expected" = on ]; then
	plan 16
else
	plan 6
fi

# A CPU of this VM takes longer for an NMI than the kernel likes. It would then allow fewer from one
# scheduler tick to the next, and a CPU that is stuck takes none.
SLOW=/proc/sys/kernel/perf_cpu_time_max_percent
[ ! -e $SLOW ] || echo 0 >$SLOW

put 1 enable
expect "without the parameter there are none" counter_is "off (parameter)"
expect "too few cycles are refused" refused_to_load
load_counting $CYCLES
expect "loaded but off, nothing counts" counter_is "off (disabled)"
put 50ms trace_latency
put 1 enable
expect "turned on, status says what there is" await counter_is "$expected"
if [ "$expected" != on ]; then
	put 0 trace_latency
	inject hardirq 120000 1
	expect "windows are recorded all the same" await recorded kind=hardirq cpu=1
	expect "it can be unloaded" unload
	finish
	exit
fi

sleep 2
expect "an idle host has no window, nor a look" same "" "$(records kind=hardirq)$(cat "$P/active")"

put 0 trace_latency
i=0
while [ $i -lt "$COUNT" ]; do
	inject hardirq 120000 $((i % 2))
	i=$((i + 1))
done
all_recorded() {
	same "$COUNT" "$(count kind=hardirq)"
}
expect "all $COUNT windows are recorded" await all_recorded
expect "the function is in the looks of each" same "$COUNT" "$(looked_into)"
expect "frames of ours and of the NMI are not" same 0 \
	"$(records kind=hardirq | looks | grep -cE 'nmi_self|overflow|gic_handle_irq')"

# All at once, so that no other CPU could look.
put 0 trace_latency
inject hardirq 1000000 1 &
inject hardirq 1000000 0 &
wait
expect "both CPUs at once: the first has three looks or more" test "$(looks_of 0)" -ge 3
expect "and the second" test "$(looks_of 1)" -ge 3

put 0 enable
expect "turned off, nothing counts" await counter_is "off (disabled)"
nmis=$(value counter_nmis status)
sleep 1
expect "and no NMI comes" same "$nmis" "$(value counter_nmis status)"

inject hardirq 3000000 1 &
sleep 1
expect "turning on does not wait for a CPU that is stuck" within 1 put 1 enable
wait
expect "when it has come by, it counts" await counter_is on

echo 0 >$CPU1
echo 1 >$CPU1
await runs_on "$BOTH"
put 0 trace_latency
sleep 1
inject hardirq 300000 1
await recorded kind=hardirq cpu=1
expect "a CPU that went and came looks at itself" test "$(looks_of 1)" -ge 1
expect "it can be unloaded while it counts" unload
finish
