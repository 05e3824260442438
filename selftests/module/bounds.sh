#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# kernels: oldest 6.12-rt newest newest-arm64
# The two bounds of a window of either kind: the true length lies between them, and they
# are not farther apart than "bounds" of status says. COUNT windows of each length (default 5, on debug 1),
# which begin anywhere in a period.
. "$(dirname "$0")/../lib.sh"
start_test
plan 18

COUNT=${COUNT:-$(fewer 5 1)}
CPU=$(last_cpu)

# So many turns of a loop take longer than a period. Within one of when the CPU woke, the bounds may
# be a tick further apart.
AWAKE_LOOPS=5000000

# The true length is taken with interrupts off. With lockdep, turning them off and on
# takes many instructions that it does not have.
UNSEEN_NS=0
# The true length ends before interrupts come back on. Ours is run in the interrupt that follows:
# 1.6 us later, or 5.8 us when the kernel's tick (tick_nohz_handler) was due before it and runs
# first (6.12-rt, counted). So a tick that was due as the window began has it by that much longer.
KERNEL_FIRST_NS=20000
# A tick that is on time is some hundred ns late: a softirq window begins with one. With lockdep
# and KASAN 1,006 ns have been seen.
ON_TIME_NS=1000
[ ! -e /proc/lockdep ] || {
	UNSEEN_NS=100000
	ON_TIME_NS=10000
}

check_bounds() {
	awk -v period=$((apart_ns + ON_TIME_NS)) -v unseen=$UNSEEN_NS \
		-v kernel_first=$KERNEL_FIRST_NS '
		{
			n++
			if ($1 + unseen + kernel_first < $2 || $1 > $3 || $3 - $2 > period) {
				bad++
				print "true " $1 ", at least " $2 ", at most " $3
			}
			sum_low += $1 - $2
			sum_high += $3 - $1
		}
		END {
			printf "%d windows: on average %.3f ms above the lower and %.3f ms below the upper bound\n",
				n, sum_low / n / 1e6, sum_high / n / 1e6 > "/dev/stderr"
			exit bad > 0
		}' "$1"
}

# measure INJECTION MICROSECONDS KIND
measure() {
	i=0
	: >/tmp/bounds
	while [ $i -lt "$COUNT" ]; do
		put 0 trace_latency
		printf 'loop %d %d\n' $((AWAKE_LOOPS + $(random 3000) * 1000)) "$CPU" >"$INJECT"
		inject "$1" "$2" "$CPU"
		await recorded "kind=$3"
		record=$(records "kind=$3")
		echo "$(injected_ns "$CPU") $(echo "$record" | field latency_ns)" \
			"$(echo "$record" | field max_ns)" >>/tmp/bounds
		i=$((i + 1))
	done
}

both_kinds() {
	trace 10ms 20ms
	await grep -qx "tick_source: scheduler" $P/status
	apart=$(value bounds status)
	apart_ns=$(bounds_us)000
	for window in "hardirq 60000 hardirq" "hardirq 120000 hardirq" \
		"hardirq 425000 hardirq" "backlog 70000 hardirq" "bh 120000 softirq" "softirq 120000 softirq"; do
		# Where threads run softirqs, they wait until the thread is woken and switched to: see windows.sh.
		case $window in
		softirq*) ! rt || UNSEEN_NS=100000 ;;
		esac
		# shellcheck disable=SC2086 # words
		measure $window
		expect "$COUNT windows ($window) are recorded" \
			same "$COUNT" "$(awk 'NF == 3' /tmp/bounds | wc -l)"
		expect "true lengths are within the bounds, $apart apart" \
			check_bounds /tmp/bounds
		length_us=${window#* }
		length_us=${length_us% *}
		expect "true lengths are what was asked for" \
			sh -c "awk '\$1 < ${length_us}000 || \$1 > ${length_us}000 + 100000 { exit 1 }' /tmp/bounds"
		check_bounds /tmp/bounds 2>&1 | sed "s/^/# $window: /"
	done
}

both_kinds
finish
