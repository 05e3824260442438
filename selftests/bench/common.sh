# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# What the benchmarks share, on top of the tests' lib.sh. A benchmark runs in a VM, on
# the machine that its head names by arguments of "vm run", as often as it has such lines
# (of these the second is for two kernels only):
#
#	# vm: --icount
#	# vm oldest newest: --smp 64 VARIABLE=VALUE
#
# and prints a row for each figure, where bench finds it. All else that it prints is for
# people. It fails when there is something that it could not measure.
set -eu

. "$(dirname "$0")/../lib.sh"

# shellcheck disable=SC2034	# for the benchmarks, as the next
STOPWATCH=$selftests/bin/stopwatch
# shellcheck disable=SC2034
TICKER=/proc/irqoff_ticker

# row WHAT PARAMETER VALUE UNIT: one figure, none of whose words has a comma
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

# start_bench: the test module loaded, ours not, and the boot really over: the kernel tests
# its cryptography for a while longer.
start_bench() {
	unload_all
	insmod "$(ko irqoff_inject)"
	sleep 5
}

# clear_lap FILE: how long a lap is, in ns, of those that stopwatch printed, when the kernel
# does nothing beside: each lap that is free of that takes the same, and all others take
# longer. The twentieth part that is shortest is passed over, for whatever may shorten one.
clear_lap() {
	awk '{ print $2 - $1 }' "$1" | sort -n | awk '
		{ lap[NR] = $1 }
		END { print lap[int(NR / 20) + 1] }'
}

# Which timers tick: "nothing"; "hard", an empty one in hardirq context; "ours", the module.

# How often TIMERS have ticked since they were started.
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
	sleep 1		# until what comes with that is over
}

stop_timers() {
	case $1 in
	hard) echo off >"$TICKER" ;;
	ours*) unload ;;
	esac
}
