#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# kernels: oldest 6.12-rt newest
# Interrupts are off for a part of the time for which softirqs are disabled: two windows. The length
# of the softirq window is without the time with interrupts off.
. "$(dirname "$0")/../lib.sh"
start_test
put 0 nosched
plan 5

CPU=$(last_cpu)
APART_NS=14000000	# maximum difference of the bounds

# nested MICROSECONDS: disable softirqs for three times this time, with interrupts off in the middle
# third
nested() {
	put 0 trace_latency
	inject nested "$1" "$CPU"
	sleep 0.2
}

# latency KIND
latency() {
	records "kind=$1" | field latency_ns
}

trace 10ms 50ms
nested 100000
true_ns=$(injected_ns "$CPU")
expect "one hardirq window and one softirq window are recorded" \
	same "1 1" "$(count kind=hardirq) $(count kind=softirq)"
expect "the hardirq window is the third with interrupts off" \
	between $((true_ns - APART_NS)) "$(latency hardirq)" $((true_ns + 100000))
# The module subtracts the upper bound of the time with interrupts off.
expect "the softirq window is the other two thirds" between \
	$((200000000 - 3 * APART_NS)) "$(latency softirq)" $((200000000 + 1000000))
expect "no sample of the softirq window was taken with interrupts off" \
	sh -c "! grep 'kind=softirq' $P/records | tr ' ' '\n' | grep '^sample=' |
		grep inject_nested_hardirq"

# Softirqs are disabled for 73 ms, 24 ms of these with interrupts off: neither window reaches 50 ms.
nested 24500
expect "two short windows do not make a record together" same 0 "$(count)"
finish
