#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: real
# kernels: oldest newest debug
# long: smp4
# long: smp8 DURATION=30
# long: real DURATION=60
# kcsan-long: smp4 DURATION=60
# While windows are made, processes write, read and poll all files, open sessions, and switch trace
# events on and off (programs/hammer); CPUs go offline and come back; and the module is reloaded: for
# DURATION seconds (default 5), and at least until the module has been reloaded twice and CPUs have
# gone and come three times. The recorder is small, so that records are overwritten while they are
# read.
. "$(dirname "$0")/../module.sh"
start_anywhere
hurry_rcu
need_cpus 4

DURATION=${DURATION:-5}
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

# hotplug_forever: take a CPU offline, or online if it is offline; not CPUs 0 and 1, where hammer
# makes windows
hotplug_forever() {
	switches=0
	while [ ! -e /tmp/stop ]; do
		online=/sys/devices/system/cpu/cpu$((2 + $(random $((CPU - 1)))))/online
		was=$(cat "$online")
		echo $((1 - was)) 2>/dev/null >"$online" && switches=$((switches + 1))
		echo $switches >/tmp/switches
		sleep "0.$(random 10)"
	done
}

# windows_forever: kinds that programs/hammer does not make
windows_forever() {
	while [ ! -e /tmp/stop ]; do
		for kind in handler softirq ksoftirqd preempt; do
			inject $kind 20000 $((1 + $(random "$CPU"))) 2>/dev/null
			sleep 0.3
		done
	done
}

all_online() {
	for cpu in $(seq 1 "$CPU"); do
		echo 1 >/sys/devices/system/cpu/cpu"$cpu"/online
	done
	same "0-$CPU" "$(cat /sys/devices/system/cpu/online)"
}

# A busy host may take longer than DURATION for one reload.
hammer_and_reload() {
	hammer_left=20
	while "$selftests/bin/hammer" "$SEED" "$DURATION"; do
		[ "$(cat /tmp/reloads)" -lt 2 ] || [ "$(cat /tmp/switches)" -lt 6 ] || return 0
		[ $((hammer_left -= 1)) -gt 0 ] || return 1
	done
	return 1
}

echo 0 | tee /tmp/reloads >/tmp/switches
reload_forever &
windows_forever &
# On a host, interrupts and tasks would not return to a CPU that was offline.
if [ -n "${VM_CONTROL:-}" ]; then
	hotplug_forever &
else
	echo 6 >/tmp/switches
fi
expect "reads return whole records in order, and no record is a mix of two" hammer_and_reload
note "$expect_output"
touch /tmp/stop
wait
note "reloads: $(cat /tmp/reloads), CPUs went or came: $(cat /tmp/switches)"

expect "all CPUs can be taken online" all_online
expect "the module can be unloaded" unload
expect "after unload, no timer is left" same 0 "$(timers)"
load
stay_on_cpu0
trace 10ms 50ms
put 1 handlers
expect "after the next load, handlers are counted" await grep -q '^cpu=' "$P/handlers"
expect "after the next load, all CPUs are monitored" await runs_on
expect "a window is recorded" is_recorded hardirq 120000 "$CPU"
finish
