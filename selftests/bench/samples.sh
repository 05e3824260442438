#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# vm: --icount --smp 4
# vm: --icount --smp 8 --mem 1024
#
# Count the samples of the windows of stuck CPUs, while one, half or all but one of the CPUs are
# stuck at once and the others are idle. Each stuck CPU has WINDOWS (default 25) windows of 120 ms.
# With a threshold of 50 ms, samples are due when a tick is missed, and 50 ms and 100 ms after the
# last check that saw the CPU tick or idle.
. "$(dirname "$0")/common.sh"

WINDOWS=${WINDOWS:-25}

# stuck N: make windows on CPUs 1 to N, and print the rows
stuck() {
	put 0 trace_latency
	left=$WINDOWS
	while [ "$left" -gt 0 ]; do
		left=$((left - 1))
		pids=
		for cpu in $(seq 1 "$1"); do
			inject hardirq 120000 "$cpu" &
			pids="$pids $!"
		done
		# shellcheck disable=SC2086 # words
		wait $pids
		sleep 0.$(($(random 90) + 10))
	done
	sleep 0.5
	records kind=hardirq | awk -v of="$((LAST + 1)) CPUs $1 stuck" -v made=$(($1 * WINDOWS)) '
		{
			samples = gsub(/ sample=/, "&")
			for (i = 1; i <= 3; i++)
				with[i] += samples >= i
		}
		END {
			printf "row:windows recorded,%s,%.1f,%%\n", of, 100 * NR / made
			for (i = 1; i <= 3; i++)
				printf "row:windows with at least %d samples,%s,%.1f,%%\n",
				       i, of, 100 * with[i] / made
		}'
}

start_bench
load nr_records=8192 threshold=50ms enable=1
await found_tick
taskset -p 1 $$ >/dev/null
stuck 1
stuck $(((LAST + 1) / 2))
stuck "$LAST"
