#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# only: stock arm64 hz
# long: icount COUNT=1000
# No window is missed: COUNT of each kind (default 20). Each is longer than the threshold plus the
# difference of the bounds, so that its lower bound is above the threshold, whenever it starts.
. "$(dirname "$0")/../module.sh"
start_test
COUNT=${COUNT:-20}

# windows_of INJECTION: print lines for "inject": windows, and loops of random length between them,
# so that a window starts at any time between two ticks. One process prints all lines: one process
# per line would take most of the time.
windows_of() {
	awk -v count="$COUNT" -v window="$1 $us $CPU" -v cpu="$CPU" -v seed="$SEED" 'BEGIN {
		srand(seed)
		for (i = 0; i < count; i++)
			print window "\nloop " 1 + int(rand() * 500000) " " cpu
	}'
}

# each_recorded INJECTION KIND: COUNT windows are recorded
each_recorded() {
	put 0 trace_latency
	hangs_before=$(hangs)
	windows_of "$1" | while read -r window; do
		inject "$window"
	done
	await all_there "$2"
}

# all_there KIND: COUNT windows are recorded, or one more for each "hang" of hrtimer_interrupt(). If
# timer callbacks take too long, the kernel delays the next timer interrupt by the same time, at
# most 100 ms: one more window (6.12-rt, "handler": 1 in 1,200).
#
# Where softirqs starve, and wait for ksoftirqd, two windows of "softirq" may be one (6.1, SEED=13958:
# the second and third of 1,000, 11 ms). So a record counts as often as a window fits into it.
all_there() {
	between 1 "$(count kind="$1")" $((COUNT + $(hangs) - hangs_before)) &&
		between "$COUNT" "$(each_line records "{
			split(\$5, latency, \"=\")
			fit = int(latency[2] / ${us}000)
			sum += fit > 1 ? fit : 1
		} END { print sum }" kind="$1")" $((COUNT * 2))
}

hangs() {
	awk '/\.nr_hangs/ { sum += $3 } END { print sum + 0 }' /proc/timer_list
}

trace 1ms 2ms
us=$((2100 + $(bounds_us)))
for injection in hardirq spinlock handler; do
	expect "all of $COUNT hardirq windows ($injection) are recorded" \
		each_recorded $injection hardirq
done
# In the benchmark, the bounds of a softirq window differed by 0.34 ms more than status says.
us=$((us + 500))
for injection in bh idle_softirq softirq; do
	expect "all of $COUNT softirq windows ($injection) are recorded" \
		each_recorded "$injection" softirq
done
# Softirqs starve after the first tick, which still runs the tasklet that woke ksoftirqd.
us=$((us + 1000))
if starves; then
	expect "all of $COUNT softirq windows (ksoftirqd) are recorded" \
		each_recorded ksoftirqd softirq
else
	skip "all of $COUNT softirq windows (ksoftirqd) are recorded" \
		"softirqs do not starve on this kernel"
fi
expect "no record is lost" same 0 "$(value records_lost status)"
finish
