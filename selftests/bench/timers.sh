#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount
#
# What a tick costs a busy CPU, by a timer of its own: the clock counts instructions. Work of a fixed
# size is done in short and in long laps, with and without timers that tick each millisecond. What the
# long laps take more than the short ones is the work of that time, and the ticks in it.
. "$(dirname "$0")/common.sh"

DIFFER_MS=120 # between short and long laps

# work LAPS TURNS
work() {
	"$STOPWATCH" "$1" spin "$2"
}

# measure TIMERS: what the long laps take more, in instructions
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
guess=13000000 # turns of a loop, about 20 ms
work 25 $guess >/tmp/laps
guess_ns=$(clear_lap /tmp/laps)
short=$((guess * (DIFFER_MS * 1000 + 100) * 1000 / guess_ns))
long=$((short + guess * DIFFER_MS * 1000000 / guess_ns))
nothing=$(measure nothing)
hard=$(measure hard)
ours=$(measure ours)
row "instructions per tick" "empty hard timer 1 ms" "$(calc "($hard - $nothing) / $DIFFER_MS")" instructions
row "instructions per tick" "own timer 1 ms" "$(calc "($ours - $nothing) / $DIFFER_MS")" instructions
