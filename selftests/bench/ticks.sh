#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount --smp 2 BACKGROUND=user
# vm: --icount --smp 2 BACKGROUND=softirq
#
# What a tick costs a CPU that has work to do. The clock counts instructions. CPU 1 does work of a
# fixed size, short and long laps, with and without timers. What the long laps take more than
# the short ones is the work of that time, and the ticks in it. How a lap begins does not count.
#
# CPU 0 is idle and watches: its checks count as well, as there is one clock. A threshold of 20 ms
# makes a check each 5 ms instead of each 12 ms: that tells what a check costs.
. "$(dirname "$0")/common.sh"

# The kernel's tick, and the time by which laps differ: a multiple of that tick and of checks.
TICK_US=4000
DIFFER_US=120000
CHECK_50_US=12000
CHECK_20_US=5000

case $BACKGROUND in
user)
	guess=13000000 # turns of a loop, about 20 ms
	work() {
		taskset 2 "$STOPWATCH" "$1" spin "$2"
	}
	;;
softirq)
	guess=4000 # tasklets, about 20 ms
	work() {
		taskset 2 "$STOPWATCH" "$1" write "$INJECT" "tasklets $2"
	}
	;;
*)
	die "no background '$BACKGROUND'"
	;;
esac

# measure TIMERS PERIOD_US [THRESHOLD]: what the long laps take more, in instructions
measure() {
	start_timers "$1" "$2" "${3:-50ms}"
	before=$(ticks "$1")
	work 10 "$short" >/tmp/short
	work 10 "$long" >/tmp/long
	after=$(ticks "$1")
	[ "$1" = nothing ] || [ $((after - before)) -ge $((20 * DIFFER_US / $2)) ] ||
		die "$1: only $((after - before)) ticks"
	stop_timers "$1"
	echo $(($(clear_lap /tmp/long) - $(clear_lap /tmp/short)))
}

start_bench
work 25 "$guess" >/tmp/laps
guess_ns=$(clear_lap /tmp/laps)
short=$((guess * (DIFFER_US + 100) * 1000 / guess_ns))
long=$((short + guess * DIFFER_US * 1000 / guess_ns))

# cost NAME PERIOD_US TOTAL: a row
cost() {
	row "instructions per tick" "$BACKGROUND $1" \
		"$(calc "$3 * $2 / $DIFFER_US")" instructions
}

nothing=$(measure nothing $TICK_US)
hard=$(($(measure hard $TICK_US) - nothing))
pair=$(($(measure pair $TICK_US) - nothing))
ours_50=$(($(measure ours $TICK_US) - nothing))
ours_20=$(($(measure ours $TICK_US 20ms) - nothing))
ours_1ms=$(($(measure ours 1000 20ms) - nothing))
check=$(calc "($ours_20 - $ours_50) / ($DIFFER_US / $CHECK_20_US - $DIFFER_US / $CHECK_50_US)")

cost "empty hard timer, 4 ms" $TICK_US "$hard"
cost "empty hard and soft timer, 4 ms" $TICK_US "$pair"
cost "ours, scheduler's tick, 4 ms" $TICK_US "$(calc "$ours_50 - $check * $DIFFER_US / $CHECK_50_US")"
cost "ours, own timer, 1 ms" 1000 "$(calc "$ours_1ms - $check * $DIFFER_US / $CHECK_20_US")"
row "instructions of a check by an idle CPU" "$BACKGROUND" "$check" instructions
row "instructions in 120 ms" "$BACKGROUND, without timers" "$nothing" instructions
