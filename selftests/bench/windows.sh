#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# vm: --icount
#
# What a record costs, on top of the tick that makes it, and how many stack frames it has.
. "$(dirname "$0")/common.sh"

WINDOWS=15

# cost_of_record INJECTION KIND: windows of 65 ms, once with a threshold above their length and once with
# one below. Each window begins at the same moment of the sampling period.
cost_of_record() {
	for threshold in 3600s 50ms; do
		trace 10ms $threshold
		"$STOPWATCH" $WINDOWS write "$INJECT" "$1 65000" >/tmp/laps
		put 0 enable
		sleep 0.2
		clear_lap /tmp/laps
		[ $threshold != 50ms ] || [ "$(count kind="$2")" = $WINDOWS ] ||
			die "$1: $(count kind="$2") windows recorded"
	done >/tmp/spans
	records kind="$2" | tail -n 1 | tr ' ' '\n' >/tmp/record
	samples=$(grep -c ^sample= /tmp/record || :)
	frames=$(grep -E '^(stack|sample)=' /tmp/record | tr ';' '\n' | wc -l)
	row "instructions to record a window" "$1 ($samples samples)" \
		"$(calc "$(tail -n 1 /tmp/spans) - $(head -n 1 /tmp/spans)")" instructions
	row "stack frames in it" "$1" "$frames" frames
}

start_bench
load
cost_of_record hardirq hardirq
cost_of_record bh softirq
