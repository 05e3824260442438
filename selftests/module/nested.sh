#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# kernels: oldest 6.12-rt newest
# Interrupts are off inside of bottom halves off: each of the two is a window, and the time
# that interrupts were off is no time of the softirqs.
. "$(dirname "$0")/../lib.sh"
start_test
plan 5

CPU=$(last_cpu)
PERIOD_NS=14000000

# nested MICROSECONDS: so long bottom halves are off, then interrupts too, then the former alone
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
expect "one hardirq window and one softirq window" \
	same "1 1" "$(count kind=hardirq) $(count kind=softirq)"
expect "the hardirq window has the third for which interrupts were off" \
	between $((true_ns - PERIOD_NS)) "$(latency hardirq)" $((true_ns + 100000))
# What is taken off is the most that interrupts were off for.
expect "the softirq window has the other two" between \
	$((200000000 - 3 * PERIOD_NS)) "$(latency softirq)" $((200000000 + 1000000))
expect "each has looks, the softirq window none of the time that interrupts were off" \
	sh -c "! grep 'kind=softirq' $P/records | tr ' ' '\n' | grep '^sample=' |
		grep inject_nested_hardirq"

# 73 ms with bottom halves off, 24 of them with interrupts off: neither reaches 50 ms by itself.
nested 24500
expect "two that are short do not make one that is long" same 0 "$(count)"
finish
