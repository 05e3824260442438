#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount BACKGROUND=user
# vm: --icount BACKGROUND=softirq
#
# What a tick costs a CPU that has work to do. The clock counts instructions. The CPU does work of a
# fixed size, in short and in long laps, with and without timers. What the long laps take more than
# the short ones is the work of that time, and the ticks in it. How a lap begins does not count.
#
# A CPU alone ticks by both sources. Its own timer has the sampling period: at 5 ms it ticks twice
# as often as at 10 ms. That tells the cost of either source.
. "$(dirname "$0")/common.sh"

# Laps differ by this, a multiple of all periods; the kernel ticks each 4 ms.
DIFFER_MS=120
TICK_MS=4

case $BACKGROUND in
user)
	guess=13000000 # turns of a loop, about 20 ms
	work() {
		"$STOPWATCH" "$1" spin "$2"
	}
	;;
softirq)
	guess=4000 # tasklets, about 20 ms
	work() {
		"$STOPWATCH" "$1" write "$INJECT" "tasklets $2"
	}
	;;
*)
	die "no background '$BACKGROUND'"
	;;
esac

# measure TIMERS PERIOD_MS: what the long laps take more, in instructions
measure() {
	start_timers "$1" "$2"000
	before=$(ticks "$1")
	work 10 "$short" >/tmp/short
	work 10 "$long" >/tmp/long
	after=$(ticks "$1")
	[ "$1" = nothing ] || [ $((after - before)) -ge $((30 * DIFFER_MS / $2)) ] ||
		die "$1: only $((after - before)) ticks"
	stop_timers "$1"
	echo $(($(clear_lap /tmp/long) - $(clear_lap /tmp/short)))
}

start_bench
work 25 "$guess" >/tmp/laps
guess_ns=$(clear_lap /tmp/laps)
short=$((guess * (DIFFER_MS * 1000 + 100) * 1000 / guess_ns))
long=$((short + guess * DIFFER_MS * 1000000 / guess_ns))

# cost NAME TOTAL TICKS: a row
cost() {
	row "instructions per tick" "$BACKGROUND $1" "$(calc "($2) / $3")" instructions
}

nothing=$(measure nothing $TICK_MS)
hard=$(($(measure hard $TICK_MS) - nothing))
hard_10=$(($(measure hard 10) - nothing))
pair=$(($(measure pair $TICK_MS) - nothing))
ours_10=$(($(measure ours 10) - nothing))
ours_5=$(($(measure ours 5) - nothing))
ours_1=$(($(measure ours 1) - nothing))

cost "empty hard timer 4 ms with the kernel's tick" "$hard" $((DIFFER_MS / TICK_MS))
cost "empty hard timer 10 ms" "$hard_10" $((DIFFER_MS / 10))
cost "empty hard and soft timer 4 ms" "$pair" $((DIFFER_MS / TICK_MS))
cost "ours by the scheduler's tick" "2 * $ours_10 - $ours_5" $((DIFFER_MS / TICK_MS))
cost "ours by its own timer" "$ours_5 - $ours_10" $((DIFFER_MS / 10))
cost "ours by its own timer 1 ms" "$ours_1 - (2 * $ours_10 - $ours_5)" $DIFFER_MS
row "instructions in 120 ms" "$BACKGROUND without timers" "$nothing" instructions
