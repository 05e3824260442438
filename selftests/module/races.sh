#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: none
# kcsan: smp4 DURATION=15
# kcsan-long: smp4 DURATION=60
# While windows are made, processes write, read and poll all files, open sessions, and switch trace
# events on and off (programs/hammer), for DURATION seconds. If KCSAN reports a race, the run fails.
# The test makes KCSAN check many more accesses than by default.
. "$(dirname "$0")/../lib.sh"
KCSAN=/sys/module/kcsan/parameters
DEBUGFS=/sys/kernel/debug
[ -e $KCSAN ] || skip_all "the kernel has no KCSAN"
[ -x "$selftests/bin/hammer" ] || skip_all "bin/hammer has not been built"
[ -e $DEBUGFS/kcsan ] || mount -t debugfs debugfs $DEBUGFS
start_test nr_records=4 enable=1 sampling_period=500us threshold=1ms
[ -e /sys/kernel/tracing/events/trace_irqoff ] || skip_all "there is no tracefs"
plan 4

DURATION=${DURATION:-15}

# checked: the number of accesses that KCSAN has checked
checked() {
	awk '/^setup_watchpoints:/ { print $2 }' $DEBUGFS/kcsan
}

before=$(checked)
# More checks make the VM many times slower: reset skip_watch before the end.
skip_watch=$(cat $KCSAN/skip_watch)
echo 200 >$KCSAN/udelay_task
echo 100 >$KCSAN/udelay_interrupt
echo 50 >$KCSAN/skip_watch
expect "reads return whole records in order, and no record is a mix of two" \
	"$selftests/bin/hammer" "$SEED" "$DURATION" slow
echo "$skip_watch" >$KCSAN/skip_watch
note "$expect_output"
note "$(tr '\n' ' ' <$P/status)"

# How many accesses there were depends on the host.
expect "KCSAN checked accesses" test $(($(checked) - before)) -gt 1000
put 0 enable
expect "tracing can be disabled" reads enable disabled
expect "after disable, no timer is left" same 0 "$(timers)"
finish
