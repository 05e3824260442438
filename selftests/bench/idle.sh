#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount
#
# What ticks cost a CPU that has nothing to do: how long it is busy in a minute, and how
# often it is woken. Time that is not idle is taken from the kernel's own account of idle
# time, and the clock counts instructions while it is not. That account begins some way
# into the interrupt that ends the idle time, and ends some way before the next: these few
# hundred instructions are missing, of each kind of timer alike. The account of 7.2 is no
# use: it has a clock of its own, by which a CPU can be idle for longer than there was time,
# and takes interrupts for idle time. There stands "-".
. "$(dirname "$0")/common.sh"

SECONDS_EACH=60

# snapshot: "BUSY INTERRUPTS" so far. The clock and the account are read in one go.
snapshot() {
	sed 's/.*now_ns=\([0-9]*\) idle_us=\([0-9]*\)$/\1 \2/' "$TICKER" | {
		read -r now_ns idle_us
		echo "$((now_ns - idle_us * 1000)) $(awk '
			NR > 1 && $2 ~ /^[0-9]+$/	{ sum += $2 }
			END { print sum }' /proc/interrupts)"
	}
}

# measure TIMERS PERIOD_US: "BUSY INTERRUPTS TIMERS" in that time
measure() {
	start_timers "$1" "$2"
	sleep 5
	before=$(snapshot)
	sleep $SECONDS_EACH
	after=$(snapshot)
	echo "$((${after% *} - ${before% *})) $((${after#* } - ${before#* })) $1"
	stop_timers "$1"
}

# The lines of measure() on stdin, that for "nothing" first.
costs() {
	awk -v period_ms="$1" -v seconds=$SECONDS_EACH '
		function row(what, value, unit) {
			printf "row:%s,idle %dms %s,%s,%s\n", what, period_ms,
				timers, value, unit
		}
		{
			busy = $1 / seconds
			woken = $2 / seconds
			sub(/^-?[0-9]+ [0-9]+ /, "")
			timers = $0
			row("interrupts a second on an idle CPU",
			    sprintf("%.2f", woken), "interrupts")
		}
		timers == "nothing" {
			busy_without = busy
			next
		}
		{
			known = busy_without > 0
			busy -= busy_without
			row("instructions a second on an idle CPU",
			    known ? sprintf("%.0f", busy) : "-", "instructions")
			row("share of a CPU at 3*10^9 instructions a second",
			    known ? sprintf("%.5f", busy / 3e9 * 100) : "-",
			    "percent")
		}
		timers != "ours" {
			row("instructions per tick",
			    known ? sprintf("%.0f", busy * period_ms / 1000) : "-",
			    "instructions")
		}'
}

start_bench
for period_ms in 1 10; do
	for timers in nothing hard pair ours; do
		measure "$timers" $((period_ms * 1000))
	done >/tmp/lines
	cat /tmp/lines
	costs $period_ms </tmp/lines
done

# Ticks of ours alone, as it counts them itself.
start_timers ours 10000
before=$(value ticks status)
sleep $SECONDS_EACH
row "ticks a second on an idle CPU" "10ms" \
	"$(calc "($(value ticks status) - $before) / $SECONDS_EACH")" ticks
stop_timers ours
