#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# vm: --icount --smp 2
#
# Count the recorded windows of a busy CPU, and measure how far both bounds are from the true
# length. WINDOWS (default 100) windows have interrupts off, and WINDOWS have softirqs disabled.
# Each window begins at a random time between two ticks.
. "$(dirname "$0")/common.sh"

WINDOWS=${WINDOWS:-100}

# kernel_first_ns KIND: print how much longer than the window a recorded latency may be, in ns. When
# the window ends, the kernel does its own work before a due tick, or runs other softirqs first.
kernel_first_ns() {
	if rt; then
		echo 2000000	# a thread runs softirqs, after other threads
	elif [ "$1" = softirq ]; then
		echo 100000
	else
		echo 20000
	fi
}

# bounds INJECTION KIND MILLISECONDS: make the windows, and print the rows. Fails if a record is
# missing.
bounds() {
	put 0 trace_latency
	: >/tmp/true
	# This script keeps CPU 1 busy. If a task came from another CPU for a window, the window would
	# begin with a tick.
	taskset -p 2 $$ >/dev/null
	for _ in $(seq "$WINDOWS"); do
		inject loop $(($(random 30000) * 40 + 1)) 1	# iterations
		inject "$1" "$3"000 1
		injected_ns 1 >>/tmp/true
	done
	taskset -p 1 $$ >/dev/null
	sleep 0.5
	records kind="$2" cpu=1 |
		sed 's/.* latency_ns=\([0-9]*\) max_ns=\([0-9]*\) .*/\1 \2/' >/tmp/recorded
	same "$WINDOWS $WINDOWS" "$(count) $(wc -l </tmp/recorded)" ||
		die "$1: $WINDOWS windows, $(count) recorded, $(wc -l </tmp/recorded) of kind $2"
	first_ns=$(kernel_first_ns "$2")
	paste /tmp/true /tmp/recorded | awk -v of="$2 $3ms" -v kernel_first="$first_ns" '
		function row(what, us) {
			printf "row:%s,%s,%.1f,us\n", what, of, us / 1e3
		}
		function count(what, windows) {
			printf "row:%s,%s,%d,windows\n", what, of, windows
		}
		function add(bound, distance) {
			sum[bound] += distance
			if (NR == 1 || distance < least[bound])
				least[bound] = distance
			if (NR == 1 || distance > most[bound])
				most[bound] = distance
		}
		function rows(bound) {
			row(bound " - true length: least", least[bound])
			row(bound " - true length: mean", sum[bound] / NR)
			row(bound " - true length: most", most[bound])
		}
		{
			if ($1 + kernel_first < $2 || $1 > $3) {
				outside++
				print "outside: true " $1 ", bounds " $2 " to " $3
			}
			add("LATENCY", $2 - $1)
			add("MAX", $3 - $1)
		}
		END {
			count("windows recorded", NR)
			count("windows whose true length is outside the bounds", outside)
			rows("LATENCY")
			rows("MAX")
		}'
}

need_cpus 2
start_bench
taskset -p 1 $$ >/dev/null
if in_vm; then
	load nr_records=4096 threshold=50ms enable=1
	set -- 60 120
else
	# A host must not have longer windows.
	load nr_records=4096 sampling_period=1ms threshold=2ms enable=1
	set -- 4 4
fi
await found_tick
bounds hardirq hardirq "$1"
bounds bh softirq "$2"
