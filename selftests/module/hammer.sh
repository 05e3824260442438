#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp real
# long: real DURATION=60
# kcsan: smp4 DURATION=20
# kcsan-long: smp4 DURATION=60
# Eight who write and eight who read, at all files at once, for DURATION seconds (default
# 5), while windows are made and the module goes away and comes back, with a recorder so small
# that each record is overwritten while it is read.
. "$(dirname "$0")/../lib.sh"
start_test
[ -x "$selftests/bin/hammer" ] || skip_all "bin/hammer has not been built"
plan 7

DURATION=${DURATION:-5}
CPU=$(last_cpu)
rm -f /tmp/stop

reloads() {
	reloads=0
	while [ ! -e /tmp/stop ]; do
		sleep "1.$(random 10)"
		rmmod trace_irqoff &&
			load enable=1 threshold=20ms nr_records=$((1 + reloads % 3)) &&
			reloads=$((reloads + 1))
	done
	echo $reloads >/tmp/reloads
}

reloads &
expect "what is read are whole records, in order, and none is a mix of two" \
	"$selftests/bin/hammer" "$DURATION"
note "$expect_output"
touch /tmp/stop
wait
note "reloads: $(cat /tmp/reloads)"
expect "it went away and came back meanwhile" test "$(cat /tmp/reloads)" -ge 1

expect "it can be unloaded" unload
expect "no timer is left" same 0 "$(timers)"
load
trace 10ms 50ms
inject hardirq 120000 "$CPU"
expect "loaded again, it finds windows" await recorded kind=hardirq cpu="$CPU"
put 0 enable
expect "it can be turned off" reads enable disabled
expect "no timer is left" same 0 "$(timers)"
finish
