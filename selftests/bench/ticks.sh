#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount BACKGROUND=user
# vm: --icount BACKGROUND=softirq
#
# What a tick costs a CPU that has work to do: laps of work of a fixed size are done with
# and without timers, and what a lap takes longer is theirs. The clock counts
# instructions, so that is what is found. All of it is done twice, and by how much the
# two differ is printed too.
. "$(dirname "$0")/common.sh"

# Laps of 20 ms, and at 12 ms, where there are fewer ticks to tell from the rest, fewer ones
# of 120 ms: whole multiples of the kernel's own tick too, and a bit more. Between two laps the CPU
# goes idle: what it costs to wake is found by wakes.sh, and here it is to be spread over ten ticks.
# With softirqs no lap of 120 ms is like another one.
lap_ms() {
	if [ "$1" -lt 10000 ]; then
		echo 20
	elif [ "$BACKGROUND" = softirq ]; then
		echo 60
	else
		echo 120
	fi
}

laps() {
	[ "$1" -lt 10000 ] && echo 20 || echo 10
}

# work LAPS SIZE
work() {
	case $BACKGROUND in
	user) "$STOPWATCH" "$1" spin "$2" ;;
	softirq) "$STOPWATCH" "$1" write "$INJECT" "tasklets $2" ;;
	*) die "no background '$BACKGROUND'" ;;
	esac
}

# measure TIMERS PERIOD_US SIZE: "DURATION TICKS TIMERS" of two runs, a line each. Ticks
# come at whole multiples of the period, so when a lap began and ended says how many
# there were in it, if the timers did tick.
measure() {
	start_timers "$1" "$2"
	for run in 1 2; do
		before=$(ticks "$1")
		work "$(laps "$2")" "$3" >/tmp/laps
		after=$(ticks "$1")
		of_lap=$(awk -v period=$(($2 * 1000)) '{
			print int($2 / period) - int($1 / period)
		}' /tmp/laps | sort -nu | tr '\n' ' ')
		of_lap=${of_lap% }
		[ "$of_lap" = $(($(lap_ms "$2") * 1000 / $2)) ] ||
			die "laps do not fit the ticks: $of_lap in one"
		[ "$1" = nothing ] || [ $((after - before)) -ge $((of_lap * $(laps "$2"))) ] ||
			die "$1: only $((after - before)) ticks in run $run"
		echo "$(clear_lap /tmp/laps) $of_lap $1"
	done
	stop_timers "$1"
}

# The lines of measure() on stdin, those for "nothing" first.
costs() {
	awk -v at="$BACKGROUND $1" -v per_second="$2" '
		function row(what, value, unit) {
			printf "row:%s,%s,%s,%s\n", what, at " " timers, value, unit
		}
		{
			span = $1
			ticks = $2
			run = NR % 2
			sub(/^[0-9]+ [0-9]+ /, "")
			timers = $0
		}
		timers == "nothing" {
			without[run] = span
			next
		}
		{
			cost[run] = (span - without[run]) / ticks
		}
		run == 0 {
			mean = (cost[0] + cost[1]) / 2
			differ = cost[0] - cost[1]
			row("instructions per tick", sprintf("%.1f", mean),
			    "instructions")
			row("instructions per tick: two runs differ by",
			    sprintf("%.1f", differ < 0 ? -differ : differ),
			    "instructions")
			if (timers == "hard")
				hard = mean
			else
				row("instructions per tick / empty hard timer",
				    sprintf("%.3f", mean / hard), "ratio")
			row("share of a CPU at 3*10^9 instructions a second",
			    sprintf("%.5f", mean * per_second / 3e9 * 100),
			    "percent")
		}'
}

# About 20 ms of work, to see how much takes as long as it is to.
case $BACKGROUND in
user) guess=13000000 ;;
softirq) guess=4000 ;;
esac

start_bench
work 25 "$guess" >/tmp/laps
guess_ns=$(clear_lap /tmp/laps)
for period_us in 1000 12000; do
	lap_ns=$(($(lap_ms $period_us) * 1000000 + 100000))
	size=$((guess * lap_ns / guess_ns))
	for timers in nothing hard pair ours; do
		measure "$timers" $period_us $size
	done >/tmp/lines
	cat /tmp/lines
	costs "$((period_us / 1000))ms" $((1000000 / period_us)) </tmp/lines
done
