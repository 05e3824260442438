#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: none
# only: stock not-rt
# kernels: newest
# long: lowres
# host: it needs highres=off
# With highres=off, a timer runs at the next jiffy after it is due. That delay is not counted as
# time with interrupts off: the true length of a window is at least LATENCY and at most MAX. COUNT
# windows of each kind (default 5).
. "$(dirname "$0")/../module.sh"
start_test

COUNT=${COUNT:-5}
# The true length ends before the window does: an interrupt, or the softirqs that run before ours, end
# the window, and with -icount the other CPU may run meanwhile (once for 0.27 ms). A jiffy, which must
# not be counted, is 4 ms.
END_NS=2000000

# make INJECTION MILLISECONDS KIND
make() {
	for _ in $(seq "$COUNT"); do
		put 0 trace_latency
		inject loop $(($(random 30000) * 40 + 1)) "$CPU"
		inject "$1" "$2"000 "$CPU"
		true_and_bounds "$3" "$CPU"
	done >/tmp/bounds
	expect "each $1 window of $2 ms has one record" \
		same "$COUNT" "$(awk 'NF == 3' /tmp/bounds | wc -l)"
	expect "true lengths of $1 windows are within the bounds" bounds_hold /tmp/bounds $END_NS
}

expect "a period below two jiffies is refused" refused "out of range" 1ms sampling_period
trace 10ms 50ms
make hardirq 80 hardirq
make bh 120 softirq
spin "$CPU"
sent=$(value nmi_sent status)
sleep 2
expect "no NMI is sent to a busy CPU that ticks" same "$sent" "$(value nmi_sent status)"
expect "status says that the scheduler's tick is not an hrtimer" await \
	grep -qx "tick_source: own timer (scheduler's tick: not found)" $P/status
finish
