#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# machine: lowres
# only: stock
# kernels: newest
# host: it needs highres=off
# With highres=off, a timer runs at the next jiffy after it is due. That delay is not counted as
# time with interrupts off: the true length of a window is at least LATENCY and at most MAX. COUNT
# windows of each kind (default 5).
. "$(dirname "$0")/../lib.sh"
start_test
need_cpus 2
stay_on_cpu0

COUNT=${COUNT:-5}
CPU=$(last_cpu)
# The true length ends before the window does: an interrupt, or the softirqs that run before ours, end
# the window, and with -icount the other CPU may run meanwhile (once for 0.27 ms). A jiffy, which must
# not be counted, is 4 ms.
END_NS=2000000

# outside KIND: print windows whose true length (in /tmp/true) is not within the bounds
outside() {
	records kind="$1" cpu="$CPU" |
		sed 's/.* latency_ns=\([0-9]*\) max_ns=\([0-9]*\) .*/\1 \2/' >/tmp/recorded
	paste /tmp/true /tmp/recorded | awk -v end="$END_NS" '
		$1 + end < $2 || $1 > $3 { print "true " $1 ", at least " $2 ", at most " $3 }'
}

# make INJECTION MILLISECONDS KIND
make() {
	put 0 trace_latency
	for _ in $(seq "$COUNT"); do
		inject loop $(($(random 30000) * 40 + 1)) "$CPU"
		inject "$1" "$2"000 "$CPU"
		injected_ns "$CPU"
	done >/tmp/true
	sleep 0.3
	expect "all $1 windows of $2 ms are recorded" same "$COUNT" "$(count kind="$3" cpu="$CPU")"
	expect "true lengths of $1 windows are within the bounds" same "" "$(outside "$3")"
}

trace 10ms 50ms
make hardirq 80 hardirq
make bh 120 softirq
expect "status says that the scheduler's tick is not an hrtimer" await \
	grep -qx "tick_source: own timer (scheduler's tick: not found)" $P/status
finish
