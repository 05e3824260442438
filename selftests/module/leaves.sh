#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# long: smp DURATION=40
# On a system that is busy and schedules as it should no task keeps a CPU from others, so there is
# no nosched window: while tasks are started and end, make system call after system call, or are
# real-time tasks. Each of these for DURATION seconds (default 2).
#
# Where the weights of two tasks differ much, the scheduler asks the heavier one to leave at each of
# its ticks, and then picks it again: no switch is counted, and each tick that comes with one of
# these finds the same task asked to leave. One that does nothing but system calls is in the kernel
# nearly each time.
. "$(dirname "$0")/../lib.sh"
start_test
need_cpus 2
stay_on_cpu0
[ -x "$selftests/bin/hog" ] || skip_all "bin/hog has not been built"
plan 16

DURATION=${DURATION:-2}
LAST=$(last_cpu)
loads=

# load_on CPU COMMAND...: in the background
load_on() {
	taskset -c "$@" >/dev/null 2>&1 &
	loads="$loads $!"
}

# shellcheck disable=SC2086 # a list
release() {
	[ -z "$loads" ] || kill $loads
	wait $loads
	loads=
} 2>/dev/null

trap 'release; unload_all' EXIT

# Tasks that are started and end, one after the other.
starts_tasks() {
	for cpu in 0 "$LAST"; do
		load_on "$cpu" sh -c 'while :; do /bin/true; done'
	done
}

# Two on a CPU, so that each is asked to leave.
makes_calls() {
	for cpu in 0 0 "$LAST" "$LAST"; do
		load_on "$cpu" dd if=/dev/zero of=/dev/null bs=1
	done
}

# One that makes system calls, beside one that never does.
weights_differ() {
	load_on "$LAST" dd if=/dev/zero of=/dev/null bs=1
	renice -n -20 -p "${loads##* }" >/dev/null
	load_on "$LAST" sh -c 'while :; do :; done'
	renice -n 19 -p "${loads##* }" >/dev/null
}

# They leave what they get from the kernel to others, a twentieth of the time. On PREEMPT_RT that is
# not for the threads that end a sleep: this test needs a CPU where these run.
is_real_time() {
	for cpu in $(rt || echo 0) "$LAST"; do
		load_on "$cpu" "$selftests/bin/hog" "$cpu"
		load_on "$cpu" sh -c 'while :; do /bin/true; done'
	done
}

# Each has had the CPU, and not for good.
each_ran() {
	for pid in $loads; do
		switches=$(awk '/_ctxt_switches:/ { switches += $2 } END { print switches + 0 }' \
			"/proc/$pid/status")
		[ "$switches" -gt 0 ] || {
			echo "process $pid has not been switched out"
			return 1
		}
	done
}

none() {
	! records kind=nosched | cut -c 1-400 | grep .
}

# none_while LOAD WORDS
none_while() {
	put 0 trace_latency
	$1
	sleep "$DURATION"
	expect "$2, each of which runs" each_ran
	release
	expect "then no task keeps a CPU" none
}

for period in 4ms 10ms; do
	trace $period 25ms
	none_while starts_tasks "period $period: tasks are started on all CPUs"
	none_while makes_calls "period $period: two tasks a CPU make system calls"
	none_while weights_differ "period $period: one that makes system calls has 4,000 times the weight"
	none_while is_real_time "period $period: real-time tasks take what they may have"
done
finish
