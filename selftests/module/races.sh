#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: none
# kcsan: smp4 DURATION=30
# kcsan-long: smp4 DURATION=60
# As much reading as can be of what ticks write at the same time, at the shortest period,
# for DURATION seconds. On a kernel with KCSAN a race ends the VM with a report; the test has
# that look at many more accesses than it does by itself.
. "$(dirname "$0")/../lib.sh"
KCSAN=/sys/module/kcsan/parameters
[ -e $KCSAN ] || skip_all "the kernel has no KCSAN"
start_test nr_records=4 enable=1 sampling_period=500us threshold=1ms
plan 4

DURATION=${DURATION:-20}
rm -f /tmp/stop

repeat() {
	while [ ! -e /tmp/stop ]; do
		"$@" >/dev/null 2>&1
	done
}

switch() {
	put 0 enable
	put 1 enable
	put 0 trace_latency
}

echo 50 >$KCSAN/skip_watch
echo 200 >$KCSAN/udelay_task
echo 100 >$KCSAN/udelay_interrupt
for file in records trace_latency histogram active; do
	repeat cat $P/$file &
done
repeat cat $P/distribute $P/status &
for cpu in 1 2 3; do
	repeat inject spinlock 3000 $cpu &
	repeat inject bh 3000 $cpu &
done
repeat switch &
sleep "$DURATION"
touch /tmp/stop
wait
put 1 enable
sleep 1
note "$(tr '\n' ' ' <$P/status)"

# It has been looked at what was meant to be.
expect "there were ticks" test "$(value ticks status)" -gt 100
expect "and records" test "$(value records_kept status)" -gt 0
put 0 enable
expect "it can be turned off" reads enable disabled
expect "no timer is left" same 0 "$(timers)"
finish
