#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: none
# kcsan: smp4 DURATION=10
# kcsan-long: smp4 DURATION=60
# As much reading as can be of what ticks write at the same time, at the shortest period,
# for DURATION seconds. On a kernel with KCSAN a race ends the VM with a report; the test has
# that look at many more accesses than it does by itself.
. "$(dirname "$0")/../lib.sh"
KCSAN=/sys/module/kcsan/parameters
DEBUGFS=/sys/kernel/debug
[ -e $KCSAN ] || skip_all "the kernel has no KCSAN"
[ -e $DEBUGFS/kcsan ] || mount -t debugfs debugfs $DEBUGFS
start_test nr_records=4 enable=1 sampling_period=500us threshold=1ms
plan 4

DURATION=${DURATION:-20}
rm -f /tmp/stop

repeat() {
	while [ ! -e /tmp/stop ]; do
		"$@" >/dev/null 2>&1
	done
}

# How often KCSAN has looked whether another CPU uses what one does.
watched() {
	awk '/^setup_watchpoints:/ { print $2 }' $DEBUGFS/kcsan
}

# So much has happened so far. Windows are what ticks found; how many ticks there were begins at 0
# again each time that all is cleared.
happened() {
	echo "$(($(value windows_hardirq status) + $(value windows_softirq status)))" \
		"$(watched)"
}

switch() {
	put 0 enable
	put 1 enable
	put 0 trace_latency
}

for file in records trace_latency histogram active; do
	repeat cat $P/$file &
done
repeat cat $P/distribute $P/status &
for cpu in 1 2 3; do
	repeat inject spinlock 3000 $cpu &
	repeat inject bh 3000 $cpu &
done
repeat switch &
before=$(happened)
# All takes many times as long then, so it is only now, and not for what ends it.
seldom=$(cat $KCSAN/skip_watch)
echo 200 >$KCSAN/udelay_task
echo 100 >$KCSAN/udelay_interrupt
echo 50 >$KCSAN/skip_watch
sleep "$DURATION"
echo "$seldom" >$KCSAN/skip_watch
after=$(happened)
touch /tmp/stop
wait
note "windows, watchpoints: $before before, $after after $DURATION s"
note "$(tr '\n' ' ' <$P/status)"

# KCSAN has looked, and there was something to look at. How much depends on the host.
# shellcheck disable=SC2086 # words
set -- $before $after
expect "there were windows" test $(($3 - $1)) -gt 0
expect "and KCSAN watched accesses" test $(($4 - $2)) -gt 1000
put 0 enable
expect "it can be turned off" reads enable disabled
expect "no timer is left" same 0 "$(timers)"
finish
