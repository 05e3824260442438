#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# kernels: oldest newest debug
# host: a CPU that goes offline loses its interrupts and tasks for good
# CPUs that come and go while windows are made on one that stays: none of these is
# missed, and nothing is made up. For DURATION seconds (default 6, on debug 3).
. "$(dirname "$0")/../lib.sh"
start_test

CPU=1
OTHERS=$(seq 2 "$(last_cpu)")
need_cpus 4
stay_on_cpu0
plan 6

DURATION=${DURATION:-$(fewer 6 3)}

# go CPU: it is off afterwards, and we see to it that this is so
go() {
	echo 0 >/sys/devices/system/cpu/cpu"$1"/online
	[ "$(cat /sys/devices/system/cpu/cpu"$1"/online)" = 0 ] &&
		echo "$1" >>/tmp/gone
}

# By and by each of the others goes off, and comes back.
come_and_go() {
	while :; do
		for cpu in $OTHERS; do
			go "$cpu"
			sleep 0.1
			echo 1 >/sys/devices/system/cpu/cpu"$cpu"/online
			[ ! -e /tmp/stop ] || return 0
		done
	done
}

each_went() {
	same "$OTHERS" "$(sort -nu /tmp/gone 2>/dev/null)"
}

# For a CPU to go off, all others are stopped, and wait for the one that has interrupts
# off: these windows are real. All other records are made up.
nothing_made_up() {
	! records | grep -vE 'inject_spinlock|multi_cpu_stop' | grep .
}

rm -f /tmp/stop /tmp/gone
trace 10ms 200ms
# To register the probe, the kernel patches its code, and the CPU that does so spins for as long as
# another one has interrupts off: a window that this test is not about.
await scheduler_ticks
come_and_go &
made=0
end=$(($(date +%s) + DURATION))
# Each of them has gone once by then, unless the host is busy.
while [ "$(date +%s)" -lt $end ] ||
	{ ! each_went >/dev/null && [ "$(date +%s)" -lt $((end + 60)) ]; }; do
	inject spinlock 400000 $CPU
	made=$((made + 1))
done
touch /tmp/stop
wait

note "$made windows made, $(count) recorded, $(value nmi_sent status) NMIs sent"
note "CPUs went off $(wc -l </tmp/gone) times"
expect "each of the others went off" each_went
expect "no window on the CPU that stayed is missed" same "$made" \
	"$(records kind=hardirq cpu=$CPU | grep -c ' stack=[^ ]*inject_spinlock')"
expect_look "all but one in a hundred have a look that shows the function" \
	test "$(records kind=hardirq cpu=$CPU |
		grep -c ' sample=[^ ]*inject_spinlock_inner')" \
	-ge $((made - 1 - made / 100))
expect "no other window is recorded, of either kind" nothing_made_up
expect "no window is open any more" reads active ""
expect "all CPUs are monitored" await runs_on \
	"$(cat /sys/devices/system/cpu/online)"
finish
