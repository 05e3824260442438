#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount
#
# The cost of a tick on a busy CPU with a timer of its own, and of an empty timer: all instructions
# of the timer interrupt. Work of a fixed size runs in short and in long laps, without timers and
# with timers of 1 ms. A long lap has 120 ms more work than a short lap, and the ticks in these 120
# ms.
. "$(dirname "$0")/common.sh"

STOPWATCH=$selftests/bin/stopwatch
TICKER=/proc/irqoff_ticker
DIFFER_MS=120 # between short and long laps

# clear_lap FILE: print the length in ns of a lap that the kernel did not disturb. FILE has the laps
# that stopwatch printed. Undisturbed laps have the same length, and all others are longer. The
# shortest twentieth is ignored.
clear_lap() {
	awk '{ print $2 - $1 }' "$1" | sort -n | awk '
		{ lap[NR] = $1 }
		END { print lap[int(NR / 20) + 1] }'
}

# TIMERS below is "none", "empty" (an hrtimer with an empty callback, in hardirq), or "own" (of the
# module).

# ticks_of TIMERS: print the number of ticks since the timers were started
ticks_of() {
	case $1 in
	none) echo 0 ;;
	empty) cat $TICKER ;;
	own) ticks ;;
	esac
}

start_timers() {
	case $1 in
	empty) echo 1000 >$TICKER ;;
	own)
		load enable=1 sampling_period=1ms
		await found_tick
		;;
	esac
	sleep 1		# until the start is over
}

stop_timers() {
	case $1 in
	empty) echo off >$TICKER ;;
	own) unload ;;
	esac
}

# work LAPS ITERATIONS
work() {
	"$STOPWATCH" "$1" "$2"
}

# measure TIMERS: print the difference of long and short laps, in instructions
measure() {
	start_timers "$1"
	before=$(ticks_of "$1")
	work 10 "$short" >/tmp/short
	work 10 "$long" >/tmp/long
	after=$(ticks_of "$1")
	[ "$1" = none ] || [ $((after - before)) -ge $((30 * DIFFER_MS)) ] ||
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
none=$(measure none)
empty=$(measure empty)
own=$(measure own)
row "cost of a tick" "empty timer" "$(calc "($empty - $none) / $DIFFER_MS")" instructions
row "cost of a tick" "own timer" "$(calc "($own - $none) / $DIFFER_MS")" instructions
