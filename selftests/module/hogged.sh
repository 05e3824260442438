#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4 isolated
# kernels: oldest 6.12-rt newest
# host: it moves interrupts and tasks to CPU 0 for good
# A real-time task that never sleeps has each CPU but one for itself, so that no thread of
# the kernel runs there. Nothing of ours needs one.
#
# Unloading any module waits for RCU. That in turn waits, on PREEMPT_RT, for a thread on each
# CPU, unless the CPU is one of nohz_full; and up to 6.4 for softirqs, which starve there: the
# unload of irqoff_inject, which does nothing at all, took 27 s on 5.10.
. "$(dirname "$0")/../lib.sh"
start_test
need_cpus 2
[ -x "$selftests/bin/hog" ] || skip_all "bin/hog has not been built"
stay_on_cpu0
plan 9

ALL=$(cat /sys/devices/system/cpu/online)
RUNTIME=/proc/sys/kernel/sched_rt_runtime_us
runtime=$(cat $RUNTIME 2>/dev/null)
hogs=

# What can be moved goes to CPU 0, as on hosts where such tasks are to run.
make_room() {
	for mask in /proc/irq/*/smp_affinity; do
		echo 1 >"$mask"
	done
	for task in /proc/[0-9]*; do
		taskset -p 1 "${task##*/}"
	done
	sleep 0.5
} >/dev/null 2>&1

# The kernel takes a twentieth of the time from such tasks if it may.
hog() {
	make_room
	echo -1 2>/dev/null >$RUNTIME
	for cpu in $(seq 1 "$(last_cpu)"); do
		"$selftests/bin/hog" "$cpu" &
		hogs="$hogs $!"
	done
	sleep 1
}

# shellcheck disable=SC2086 # a list
release() {
	kill $hogs
	echo "$runtime" 2>/dev/null >$RUNTIME
	wait $hogs
	hogs=
} 2>/dev/null

# What waits for a hogged CPU waits for good; a busy host makes all slow.
off_and_on() {
	left=10
	while [ $((left -= 1)) -gt 0 ]; do
		within 10 put 0 enable && within 10 put 1 enable || return 1
	done
}

# Each has had 30 jiffies, of however long that takes here, and left its CPU none to idle.
all_hogged() {
	hogged_idle=$(idle_jiffies)
	for hog in $hogs; do
		await spins "$hog" || return 1
	done
	same "$hogged_idle" "$(idle_jiffies)"
}

spins() {
	jiffies=$(cut -d ' ' -f 14 "/proc/$1/stat") || return 1
	[ "$jiffies" -ge 30 ] || {
		echo "one has run for $jiffies hundredths of a second"
		return 1
	}
}

# Of all CPUs but CPU 0.
idle_jiffies() {
	awk '/^cpu[1-9]/ { idle += $5 + $6 } END { print idle }' /proc/stat
}

rcu_works() {
	if rt; then
		grep -q '[0-9]' /sys/devices/system/cpu/nohz_full
	else
		! starves
	fi
}

trap 'release; unload_all' EXIT
put "$ALL" cpus
trace 10ms 50ms
hog
expect "every CPU but one is hogged" all_hogged
expect "on and off do not wait for them" off_and_on
expect "it runs on all CPUs" await runs_on "$ALL"
expect "it is turned off" within 10 put 0 enable
expect "no timer is left" same 0 "$(timers)"
if rcu_works; then
	expect "it is unloaded" within 10 unload
	expect "it is loaded and turned on" load enable=1
	expect "it is unloaded while it traces" within 10 unload
	expect "no timer is left" same 0 "$(timers)"
else
	for i in 1 2 3 4; do
		skip "unloading ($i)" "no module can be unloaded while RCU is starved"
	done
fi
release
finish
