#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# kernels: oldest newest-rt newest newest-arm64
# The true length of a window is between the two bounds, and the bounds differ by at most "bounds"
# in status. COUNT windows of each length (default 5, on debug 1) start at random times between two
# ticks.
. "$(dirname "$0")/../lib.sh"
start_test

COUNT=${COUNT:-$(fewer 5 1)}
CPU=$(last_cpu)

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

check_bounds() {
	awk -v apart=$((apart_ns + ON_TIME_NS)) -v unseen=$UNSEEN_NS \
		-v kernel_first=$KERNEL_FIRST_NS '
		{
			n++
			if ($1 + unseen + kernel_first < $2 || $1 > $3 || $3 - $2 > apart) {
				bad++
				print "true " $1 ", at least " $2 ", at most " $3
			}
			sum_low += $1 - $2
			sum_high += $3 - $1
		}
		END {
			printf "%d windows: on average %.3f ms above the lower bound, ",
				n, sum_low / n / 1e6 > "/dev/stderr"
			printf "%.3f ms below the upper bound\n", sum_high / n / 1e6 > "/dev/stderr"
			exit bad > 0
		}' "$1"
}

# as_requested NS: true lengths are NS, and at most 0.1 ms more
as_requested() {
	awk -v ns="$1" '$1 < ns || $1 > ns + 100000 { exit 1 }' /tmp/bounds
}

# measure INJECTION MICROSECONDS KIND: a line for each window: true length, lower bound, upper bound
measure() {
	: >/tmp/bounds
	for _ in $(seq "$COUNT"); do
		put 0 trace_latency
		printf 'loop %d %d\n' $((BUSY_LOOPS + $(random 3000) * 1000)) "$CPU" >"$INJECT"
		inject "$1" "$2" "$CPU"
		await recorded "kind=$3"
		record=$(records "kind=$3")
		echo "$(injected_ns "$CPU") $(echo "$record" | field latency_ns)" \
			"$(echo "$record" | field max_ns)" >>/tmp/bounds
	done
}

trace 10ms 20ms
await grep -qx "tick_source: scheduler" $P/status
apart=$(value bounds status)
apart_ns=$(bounds_us)000
for window in "hardirq 60000 hardirq" "hardirq 120000 hardirq" \
	"hardirq 425000 hardirq" "backlog 70000 hardirq" "bh 120000 softirq" \
	"softirq 120000 softirq"; do
	# On PREEMPT_RT, softirqs wait for a switch to their thread: see SWITCH_NS in
	# module/windows.sh.
	case $window in
	softirq*) ! rt || UNSEEN_NS=100000 ;;
	esac
	# shellcheck disable=SC2086 # words
	measure $window
	expect "$COUNT windows ($window) are recorded" \
		same "$COUNT" "$(awk 'NF == 3' /tmp/bounds | wc -l)"
	expect "true lengths are within the bounds, $apart apart" check_bounds /tmp/bounds
	length_us=${window#* }
	length_us=${length_us% *}
	expect "true lengths are as requested" as_requested "${length_us}000"
	check_bounds /tmp/bounds 2>&1 | sed "s/^/# $window: /"
done
finish
