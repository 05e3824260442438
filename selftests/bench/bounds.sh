#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
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

# bounds INJECTION KIND MILLISECONDS: make the windows, and print the rows
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
	paste -d ' ' /tmp/true /tmp/recorded >/tmp/windows
	bounds_hold /tmp/windows "$(kernel_first_ns "$2")" >/tmp/outside || cat /tmp/outside
	row "windows recorded" "$2 $3ms" "$WINDOWS" windows
	row "windows whose true length is outside the bounds" "$2 $3ms" "$(wc -l </tmp/outside)" windows
	for bound in LATENCY MAX; do
		awk -v bound=$bound '{ print (bound == "MAX" ? $3 : $2) - $1 }' /tmp/windows | sort -n |
			awk -v what="$bound - true length" -v of="$2 $3ms" '
			function row(which, ns) {
				printf "row:%s: %s,%s,%.1f,us\n", what, which, of, ns / 1e3
			}
			NR == 1 { row("least", $1) }
			{ sum += $1; most = $1 }
			END {
				row("mean", sum / NR)
				row("most", most)
			}'
	done
}

need_cpus 2
start_bench
if in_vm; then
	load nr_records=4096 threshold=50ms enable=1
	set -- 60 120
else
	# A host must not have longer windows.
	load nr_records=4096 sampling_period=1ms threshold=2ms enable=1
	set -- 4 4
fi
await grep -qx "tick_source: scheduler" $P/status
bounds hardirq hardirq "$1"
bounds bh softirq "$2"
