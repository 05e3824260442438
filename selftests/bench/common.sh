# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# What the benchmarks share, besides lib.sh of the tests. A benchmark runs once for each line of this kind in
# its head. The line has arguments of "vm run"; the second example is for two kernels only:
#
#	# vm: --icount
#	# vm oldest newest: --smp 64 VARIABLE=VALUE
#
# A benchmark prints a row for each figure, which "bench" reads; its other output is for people. It fails if
# it could not measure something.
set -eu

. "$(dirname "$0")/../lib.sh"

# shellcheck disable=SC2034	# for the benchmarks, as the next
STOPWATCH=$selftests/bin/stopwatch
# shellcheck disable=SC2034
TICKER=/proc/irqoff_ticker

# row WHAT PARAMETER VALUE UNIT: one figure; the words have no commas
row() {
	echo "row:$1,$2,$3,$4"
}

die() {
	echo "$*" >&2
	exit 1
}

# calc EXPRESSION: of awk
calc() {
	awk "BEGIN {
		x = $1
		if (x == int(x))
			printf \"%d\n\", x
		else
			printf \"%.3f\n\", x
	}"
}

# start_bench: load only the test module, and wait until the kernel's work after boot is over, such as tests
# of its cryptography
start_bench() {
	unload_all
	insmod "$(ko irqoff_inject)"
	sleep 5
}

# clear_lap FILE: the length in ns of a lap that the kernel did not disturb. FILE has the laps that stopwatch
# printed. Undisturbed laps have the same length, and all others are longer. The shortest twentieth is
# ignored.
clear_lap() {
	awk '{ print $2 - $1 }' "$1" | sort -n | awk '
		{ lap[NR] = $1 }
		END { print lap[int(NR / 20) + 1] }'
}

# TIMERS below is "nothing", "hard" (an hrtimer with an empty callback, in hardirq), or "ours" (the module).

# ticks TIMERS: the number of ticks since they were started
ticks() {
	case $1 in
	nothing) echo 0 ;;
	hard) cat "$TICKER" ;;
	ours*) value ticks status ;;
	esac
}

found_tick() {
	same scheduler "$(value tick_source status)"
}

# start_timers TIMERS PERIOD_US
start_timers() {
	case $1 in
	hard) echo "$2" >"$TICKER" ;;
	ours*)
		load enable=1 sampling_period="$2us"
		await found_tick
		;;
	esac
	sleep 1		# until the start is over
}

stop_timers() {
	case $1 in
	hard) echo off >"$TICKER" ;;
	ours*) unload ;;
	esac
}
