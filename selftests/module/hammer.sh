#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp real
# kernels: oldest newest debug
# long: real DURATION=60
# kcsan-long: smp4 DURATION=60
# While windows are made, processes write, read and poll all files, open sessions, and switch trace
# events on and off (programs/hammer), for DURATION seconds (default 5) and at least until the
# module has been reloaded twice. The recorder is small, so that records are overwritten while they
# are read.
. "$(dirname "$0")/../lib.sh"
[ -x "$selftests/bin/hammer" ] || skip_all "bin/hammer has not been built"
start_test
hurry_rcu
[ -e /sys/kernel/tracing/events/trace_irqoff ] || skip_all "there is no tracefs"
plan 6

DURATION=${DURATION:-5}
slow=
[ ! -e /sys/module/kcsan ] || slow=slow
CPU=$(last_cpu)
rm -f /tmp/stop

# reload_forever: an open session, a polled file, or an event that is on prevents an unload
reload_forever() {
	reloads=0
	while [ ! -e /tmp/stop ]; do
		sleep "0.$(random 10)"
		rmmod trace_irqoff 2>/dev/null &&
			load enable=1 sampling_period=1ms threshold=2ms \
				nr_records=$((1 + reloads % 4 * 5)) &&
			reloads=$((reloads + 1))
		echo $reloads >/tmp/reloads
	done
}

# A busy host may take longer than DURATION for one reload.
hammer_and_reload() {
	hammer_left=20
	# shellcheck disable=SC2086 # no word, or one
	while "$selftests/bin/hammer" "$SEED" "$DURATION" $slow; do
		[ "$(cat /tmp/reloads)" -lt 2 ] || return 0
		[ $((hammer_left -= 1)) -gt 0 ] || return 1
	done
	return 1
}

echo 0 >/tmp/reloads
reload_forever &
expect "reads return whole records in order, and no record is a mix of two" hammer_and_reload
note "$expect_output"
touch /tmp/stop
wait
note "reloads: $(cat /tmp/reloads)"

expect "the module can be unloaded" unload
expect "after unload, no timer is left" same 0 "$(timers)"
load
trace 10ms 50ms
inject hardirq 120000 "$CPU"
expect "after the next load, windows are recorded" await recorded kind=hardirq cpu="$CPU"
put 0 enable
expect "tracing can be disabled" reads enable disabled
expect "after disable, no timer is left" same 0 "$(timers)"
finish
