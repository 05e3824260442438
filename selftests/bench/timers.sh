#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount
#
# The cost of a tick on a busy CPU with a timer of its own, in instructions. Work of a fixed size runs in
# short and in long laps, with and without timers of 1 ms. The difference of long and short laps is work, and
# the ticks in it.
. "$(dirname "$0")/common.sh"

DIFFER_MS=120 # between short and long laps

# work LAPS ITERATIONS
work() {
	"$STOPWATCH" "$1" spin "$2"
}

# measure TIMERS: the difference of long and short laps, in instructions
measure() {
	start_timers "$1" 1000
	before=$(ticks "$1")
	work 10 "$short" >/tmp/short
	work 10 "$long" >/tmp/long
	after=$(ticks "$1")
	[ "$1" = nothing ] || [ $((after - before)) -ge $((30 * DIFFER_MS)) ] ||
		die "$1: only $((after - before)) ticks"
	stop_timers "$1"
	echo $(($(clear_lap /tmp/long) - $(clear_lap /tmp/short)))
}

start_bench
guess=13000000 # iterations of a loop, about 20 ms
work 25 $guess >/tmp/laps
guess_ns=$(clear_lap /tmp/laps)
short=$((guess * (DIFFER_MS * 1000 + 100) * 1000 / guess_ns))
long=$((short + guess * DIFFER_MS * 1000000 / guess_ns))
nothing=$(measure nothing)
hard=$(measure hard)
ours=$(measure ours)
row "instructions per tick" "empty hard timer 1 ms" "$(calc "($hard - $nothing) / $DIFFER_MS")" instructions
row "instructions per tick" "own timer 1 ms" "$(calc "($ours - $nothing) / $DIFFER_MS")" instructions
