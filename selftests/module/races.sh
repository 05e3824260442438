#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: none
# kcsan: smp4 DURATION=10
# kcsan-long: smp4 DURATION=60
# Processes read all files while ticks write the data, with a short sampling period, for DURATION
# seconds (default 20). If KCSAN reports a race, the run fails. The test makes KCSAN check many more
# accesses than by default.
. "$(dirname "$0")/../module.sh"
KCSAN=/sys/module/kcsan/parameters
DEBUGFS=/sys/kernel/debug
[ -e $DEBUGFS/kcsan ] || mount -t debugfs debugfs $DEBUGFS
start_anywhere nr_records=4 enable=1 sampling_period=500us threshold=1ms

DURATION=${DURATION:-20}
rm -f /tmp/stop

repeat() {
	while [ ! -e /tmp/stop ]; do
		"$@" >/dev/null 2>&1
	done
}

# checked: the number of accesses that KCSAN has checked
checked() {
	awk '/^setup_watchpoints:/ { print $2 }' $DEBUGFS/kcsan
}

# happened: the numbers of windows and of checked accesses
happened() {
	echo "$(($(value windows_hardirq status) + $(value windows_softirq status) +
		$(value windows_nosched status)))" "$(checked)"
}

for file in records trace_latency histogram active; do
	repeat cat $P/$file &
done
repeat cat $P/distribute $P/status &
for cpu in 1 2 3; do
	repeat inject spinlock 3000 $cpu &
	repeat inject bh 3000 $cpu &
done
repeat trace 500us 1ms &
before=$(happened)
# More checks make the VM many times slower: reset skip_watch before the end.
skip_watch=$(cat $KCSAN/skip_watch)
echo 200 >$KCSAN/udelay_task
echo 100 >$KCSAN/udelay_interrupt
echo 50 >$KCSAN/skip_watch
sleep "$DURATION"
echo "$skip_watch" >$KCSAN/skip_watch
after=$(happened)
touch /tmp/stop
wait
note "windows, watchpoints: $before before, $after after $DURATION s"
note "$(tr '\n' ' ' <$P/status)"

# How many windows and accesses there were depends on the host.
# shellcheck disable=SC2086 # words
set -- $before $after
expect "windows were recorded" test $(($3 - $1)) -gt 0
expect "KCSAN checked accesses" test $(($4 - $2)) -gt 1000
finish
