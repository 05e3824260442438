#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount
#
# Windows of known length: what it costs to record one, how close the two bounds come to
# its true length, and how many of those are seen that are shorter than the period.
. "$(dirname "$0")/common.sh"

WINDOWS=15		# for the cost
LENGTHS=4		# of each length

# Windows of 65 ms, with a threshold that has them recorded, and one that has not. Each
# begins at the same moment of the sampling period.
cost_of_record() {
	for threshold in 3600s 50ms; do
		trace 10ms $threshold
		"$STOPWATCH" $WINDOWS write "$INJECT" "$1 65000" >/tmp/laps
		put 0 enable
		sleep 0.2
		clear_lap /tmp/laps
		[ $threshold != 50ms ] || [ "$(count kind="$2")" = $WINDOWS ] ||
			die "$1: $(count kind="$2") windows recorded"
	done >/tmp/spans
	looks=$(records kind="$2" | tail -n 1 | tr ' ' '\n' | grep -c ^sample= || :)
	frames=$(records kind="$2" | tail -n 1 | tr ' ' '\n' |
		grep -E '^(stack|sample)=' | tr ';' '\n' | wc -l)
	row "instructions to record a window" \
		"$1 ($looks looks)" \
		"$(calc "$(tail -n 1 /tmp/spans) - $(head -n 1 /tmp/spans)")" \
		instructions
	row "stack frames in it" "$1" "$frames" frames
}

# A loop of so many turns takes longer than a period: within one of when the CPU woke, the bounds may
# be further apart.
AWAKE_LOOPS=5000000

# A tick that was due as the window began runs when that is over, after the kernel's own.
FIRST_NS=20000

# accuracy KIND RECORDED-AS MILLISECONDS: windows that begin anywhere in a period. One whose true
# length is not within the bounds, or bounds that are further apart than "bounds" of status says, are
# a failure. The lower one is above the threshold in any case.
accuracy() {
	i=0
	trace 10ms 40ms
	while [ $i -lt $LENGTHS ]; do
		put 0 trace_latency
		inject "loop $((AWAKE_LOOPS + i * 1371 * 1000))"
		inject "$1" "$3"000
		sleep 0.1
		echo "$(injected_ns 0) $(records kind="$2" | field latency_ns)" \
			"$(records kind="$2" | field max_ns)"
		i=$((i + 1))
	done >/tmp/bounds
	awk -v of="$1 $3ms" -v apart_ns="$(bounds_us)000" -v first=$FIRST_NS '
		function row(what, us) {
			printf "row:%s,%s,%.1f,us\n", what, of, us / 1e3
		}
		{
			low = $1 - $2
			high = $3 - $1
			sum_low += low
			sum_high += high
			sum_between += $3 - $2
			if (NR == 1 || low < min_low)
				min_low = low
			if (NR == 1 || high < min_high)
				min_high = high
			# A tick that is on time is some hundred ns late.
			bad += NF != 3 || low < -first || high < 0 || $3 - $2 > apart_ns + 1000
		}
		END {
			if (bad || !NR)
				exit 1
			row("true length - LATENCY: mean", sum_low / NR)
			row("true length - LATENCY: least", min_low)
			row("MAX - true length: mean", sum_high / NR)
			row("MAX - true length: least", min_high)
			row("MAX - LATENCY: mean", sum_between / NR)
		}' /tmp/bounds || die "$1 $3 ms: $(cat /tmp/bounds)"
}

# How many hardirq latencies were counted from a bucket of "histogram" on.
counted_from() {
	awk -v from="$1" '
		/^cpu: /	{ hardirq = /hardirq/ }
		hardirq && $2 == "->" && $1 >= from	{ sum += $5 }
		END	{ print sum + 0 }' "$P/histogram"
}

# short_windows TICKS: windows of 2 ms, anywhere in a period: between two of them a loop of a length
# that varies evenly over about a period. A quarter of those that are seen is late by less
# than 0.5 ms, so look at what is late by more than ticks ever are.
short_windows() {
	trace 10ms 50ms
	sleep 1
	row "ticks late by 64 us and more in a quiet second" "$1" \
		"$(counted_from 64)" ticks
	put 0 trace_latency
	awk 'BEGIN {
		srand(1)
		for (i = 0; i < 1000; i++)
			print "hardirq 2000\nloop " 1 + int(rand() * 5000000)
	}' | while read -r window; do
		inject "$window"
	done
	put 0 enable
	row "of 1000 windows of 2 ms were seen" "$1" "$(counted_from 64)" windows
	row "of 1000 windows of 2 ms were late by 1.024 ms and more" "$1" \
		"$(counted_from 1024)" windows
}

start_bench
load
cost_of_record hardirq hardirq
cost_of_record bh softirq
for length_ms in 60 120 425 1000; do
	accuracy hardirq hardirq $length_ms
	accuracy bh softirq $length_ms
done
short_windows 10ms
