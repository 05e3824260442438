#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4 isolated
# kernels: oldest newest-rt newest
# host: interrupts and tasks stay on CPU 0 after the test
# On each CPU but CPU 0, a real-time task runs that never sleeps ("hog"), so that no kernel thread
# runs there. Tracing needs no kernel thread on those CPUs.
#
# To unload any module, the kernel waits for RCU. On PREEMPT_RT, RCU waits for a thread on each CPU
# that is not nohz_full. Up to 6.4, RCU waits for softirqs, which starve on those CPUs: on 5.10, the
# unload of irqoff_inject took 27 s.
. "$(dirname "$0")/../module.sh"
start_test

RUNTIME=/proc/sys/kernel/sched_rt_runtime_us
runtime=$(cat $RUNTIME 2>/dev/null)

# make_room: move interrupts and tasks to CPU 0, as hosts with busy real-time tasks do
make_room() {
	for mask in /proc/irq/*/smp_affinity; do
		echo 1 >"$mask"
	done
	for task in /proc/[0-9]*; do
		taskset -p 1 "${task##*/}"
	done
	sleep 0.5
} >/dev/null 2>&1

# hog: start the tasks, without real-time throttling, which would stop them for 5 % of the time
hog() {
	make_room
	echo -1 2>/dev/null >$RUNTIME
	for cpu in $(seq 1 "$CPU"); do
		background "$selftests/bin/hog" "$cpu"
	done
	sleep 1
}

release() {
	stop_background
	echo "$runtime" 2>/dev/null >$RUNTIME
}

# off_and_on: the limit of 10 s is for busy hosts. Waiting for a hogged CPU would never end.
off_and_on() {
	for _ in $(seq 9); do
		within 10 put 0 enable && within 10 put 1 enable || return 1
	done
}

# all_hogged: each task has run for 30 jiffies, and its CPU was not idle meanwhile
all_hogged() {
	hogged_idle=$(idle_jiffies)
	for hog in $in_background; do
		await eval "[ \$(cut -d ' ' -f 14 /proc/$hog/stat) -ge 30 ]" || return 1
	done
	same "$hogged_idle" "$(idle_jiffies)"
}

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
put "0-$CPU" cpus
trace 10ms 50ms
hog
expect "all CPUs but CPU 0 are hogged" all_hogged
expect "enable and disable do not wait for hogged CPUs" off_and_on
expect "all CPUs are monitored" await runs_on
expect "disable returns within 10 s" within 10 put 0 enable
expect "after disable, no timer is left" same 0 "$(timers)"
if rcu_works; then
	expect "unloading takes at most 10 s" within 10 unload
	expect "loading and enabling succeeds" load enable=1
	expect "unloading while enabled takes at most 10 s" within 10 unload
	expect "unloading leaves no timer" same 0 "$(timers)"
else
	skip "unloading" "no module can be unloaded while RCU is starved"
fi
release
finish
