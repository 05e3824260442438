#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# kernels: oldest newest debug
# host: interrupts and tasks do not return to a CPU that was offline
# CPUs go offline and come back while windows are made on another CPU, for DURATION seconds (default
# 6, on debug 3). All of these windows are recorded, and no others.
. "$(dirname "$0")/../module.sh"
start_test
put 0 nosched

CPU=1
OTHERS=$(seq 2 "$(last_cpu)")

DURATION=${DURATION:-$(fewer 6 3)}

# The other CPUs go offline and come back, one after the other. /tmp/gone has their numbers.
come_and_go() {
	while :; do
		for cpu in $OTHERS; do
			online=/sys/devices/system/cpu/cpu$cpu/online
			echo 0 >"$online" && [ "$(cat "$online")" = 0 ] && echo "$cpu" >>/tmp/gone
			sleep 0.1
			echo 1 >"$online"
			[ ! -e /tmp/stop ] || return 0
		done
	done
}

each_went() {
	same "$OTHERS" "$(sort -nu /tmp/gone 2>/dev/null)"
}

rm -f /tmp/stop /tmp/gone
# To register the probe, the kernel patches its code, with interrupts off on one CPU, which may wait
# for the CPU of the test: a window that does not belong to this test.
trace_all 10ms 200ms
come_and_go &
made=0
end=$(($(date +%s) + DURATION))
# On a busy host, continue until each CPU has been offline once.
while [ "$(date +%s)" -lt $end ] ||
	{ ! each_went >/dev/null && [ "$(date +%s)" -lt $((end + 60)) ]; }; do
	inject spinlock 400000 $CPU
	made=$((made + 1))
done
touch /tmp/stop
wait

note "$made windows made, $(count) recorded, $(value nmi_sent status) NMIs sent"
note "CPUs went offline $(wc -l </tmp/gone) times"
expect "each of the other CPUs went offline" each_went
expect "no window on the CPU that stayed is missed" same "$made" \
	"$(made_by inject_spinlock $CPU | wc -l)"
expect_sample "all windows but 1, plus 1 in 100, have a sample with the function" \
	test "$(records kind=hardirq cpu=$CPU |
		grep -c ' sample=[^ ]*inject_spinlock_inner')" -ge $((made - 1 - made / 100))
# To take a CPU offline, the kernel stops all other CPUs in multi_cpu_stop(), where they wait for
# the CPU that has interrupts off. These windows are real. All others would be false.
expect "no other window is recorded, of either kind" \
	same "" "$(records | grep -vE 'inject_spinlock|multi_cpu_stop')"
expect "no window is open at the end" reads active ""
expect "all CPUs are monitored at the end" await runs_on
finish
