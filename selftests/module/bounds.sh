#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# kernels: oldest newest-rt newest newest-arm64
# The true length of a window is between the two bounds, and the bounds differ by at most "bounds"
# in status. COUNT windows of each length (default 5, on debug 1) start at random times between two
# ticks.
. "$(dirname "$0")/../module.sh"
start_test

COUNT=${COUNT:-$(fewer 5 1)}

# Iterations of a loop before each window, longer than a sampling period: shortly after a CPU wakes,
# the bounds may differ by one more tick.
BUSY_LOOPS=5000000

# The true length is measured inside the window. With lockdep, disabling and enabling interrupts
# takes many instructions outside of that.
UNSEEN_NS=0
# The true length ends before interrupts are on again. The late tick reads the clock in the
# interrupt that follows, 1.6 us later, or 5.8 us if another timer's callback runs first (6.12-rt,
# counted). If a window starts when a tick is due, its lower bound may exceed the true length by
# this much.
KERNEL_FIRST_NS=20000
# A softirq window starts with a tick. Even a tick on time is some hundred ns late, with lockdep and
# KASAN 1,006 ns.
ON_TIME_NS=1000
[ ! -e /proc/lockdep ] || {
	UNSEEN_NS=100000
	ON_TIME_NS=10000
}

trace 10ms 20ms
await grep -qx "tick_source: scheduler" $P/status
apart_ns=$(($(bounds_us) * 1000 + ON_TIME_NS))
for window in "hardirq 60000 hardirq" "hardirq 120000 hardirq" \
	"hardirq 425000 hardirq" "backlog 70000 hardirq" "bh 120000 softirq" \
	"softirq 120000 softirq"; do
	# On PREEMPT_RT, softirqs wait for a switch to their thread.
	case $window in
	bh* | softirq*) ! rt || UNSEEN_NS=100000 ;;
	esac
	# shellcheck disable=SC2086 # words
	set -- $window
	for _ in $(seq "$COUNT"); do
		put 0 trace_latency
		inject loop $((BUSY_LOOPS + $(random 3000) * 1000)) "$CPU"
		inject "$1" "$2" "$CPU"
		true_and_bounds "$3" "$CPU"
	done >/tmp/bounds
	expect "$COUNT windows ($window) are recorded" \
		same "$COUNT" "$(awk 'NF == 3' /tmp/bounds | wc -l)"
	expect "true lengths are within the bounds" \
		bounds_hold /tmp/bounds $((UNSEEN_NS + KERNEL_FIRST_NS))
	expect "the bounds are at most $(value bounds status) apart" \
		same "" "$(awk -v apart=$apart_ns '$3 - $2 > apart' /tmp/bounds)"
done
finish
