#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# vm: --icount --smp 2
#
# How many windows on a busy CPU are recorded, and how close the two bounds come to the true length.
# WINDOWS of each length (default 100; 425 ms: a tenth), each begins anywhere between two ticks.
. "$(dirname "$0")/common.sh"

WINDOWS=${WINDOWS:-100}

# A tick that was due when the window began runs after the kernel's own work at its end. Of softirqs,
# other handlers may be due first.
kernel_first_ns() {
	if rt; then
		echo 2000000	# a thread runs them, behind others
	elif [ "$1" = softirq ]; then
		echo 100000
	else
		echo 20000
	fi
}

# bounds INJECTION KIND MILLISECONDS: fails if a window is missing or its true length is outside
bounds() {
	put 0 trace_latency
	: >/tmp/true
	left=$WINDOWS
	while [ "$left" -gt 0 ]; do
		left=$((left - 1))
		inject loop $(($(random 30000) * 40 + 1)) 1
		inject "$1" "$3"000 1
		while read -r cpu words; do
			[ "$cpu" != cpu=1 ] || echo "${words##*elapsed_ns=}" >>/tmp/true
		done <"$INJECT"
	done
	sleep 0.5
	records kind="$2" cpu=1 |
		sed 's/.* latency_ns=\([0-9]*\) max_ns=\([0-9]*\) .*/\1 \2/' >/tmp/recorded
	same "$WINDOWS $WINDOWS" "$(count) $(wc -l </tmp/recorded)" ||
		die "$WINDOWS $1 windows of $3 ms made: $(count) recorded, $(wc -l </tmp/recorded) of kind $2"
	paste /tmp/true /tmp/recorded | awk -v of="$1 $3ms" -v kernel_first="$(kernel_first_ns "$2")" '
		function row(what, us) {
			printf "row:%s,%s,%.1f,us\n", what, of, us / 1e3
		}
		{
			if ($1 + kernel_first < $2 || $1 > $3) {
				outside++
				print "outside: true " $1 ", bounds " $2 " to " $3
			}
			low += $1 - $2
			high += $3 - $1
			if ($3 - $2 > most)
				most = $3 - $2
		}
		END {
			printf "row:windows recorded,%s,%d,windows\n", of, NR
			printf "row:windows whose true length is outside the bounds,%s,%d,windows\n",
			       of, outside
			row("true length - LATENCY: mean", low / NR)
			row("MAX - true length: mean", high / NR)
			row("MAX - LATENCY: most", most)
		}'
}

start_bench
taskset -p 1 $$ >/dev/null
# On PREEMPT_RT any other task may preempt one that has softirqs disabled. The window then begins
# when softirqs are raised.
taskset -c 1 chrt -i 0 sh -c 'while :; do :; done' &
load nr_records=4096 threshold=50ms enable=1
await found_tick
bounds hardirq hardirq 60
bounds bh softirq 120
WINDOWS=$((WINDOWS / 10))
bounds hardirq hardirq 425
bounds bh softirq 425
