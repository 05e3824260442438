#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# kernels: oldest newest
# Time that a hypervisor has stolen stands on the record of the window that it made.
# No emulator steals any, so the test module writes it into the kernel's books.
. "$(dirname "$0")/../lib.sh"
start_test
plan 11

# The newest record's
stolen() {
	records | tail -n 1 | field steal_ns
}

all_of_it() {
	between "$(injected_ns 0)" "$(stolen)" "$(injected_ns 0)"
}

trace 10ms 50ms
inject hardirq 120000 0
expect "a window in which nothing was stolen says so" same 0 "$(stolen)"
expect "and its report does not speak of it" \
	sh -c "! grep STEAL $P/trace_latency"

put 0 trace_latency
inject steal 120000 0
expect "stolen time that is known at the end is recorded" all_of_it
expect "the report has it behind the bounds" \
	grep -qE ' LATENCY: 1[0-2].ms MAX: 1[23].ms STEAL: 120ms TIME: ' $P/trace_latency
sleep 0.1
expect "and it stays as it is" all_of_it

put 0 trace_latency
inject steal_late 120000 0
sleep 0.1
expect "stolen time that is known later is added to the record" all_of_it
expect "and there is one record" same 1 "$(count)"

put 0 trace_latency
inject steal_bh 120000 0
await recorded kind=softirq
sleep 0.1
expect "a softirq window has its stolen time too" all_of_it
expect "once for the window" same 1 "$(grep -c 'STEAL: 120ms' $P/trace_latency)"

put 0 trace_latency
inject hardirq 120000 0
sleep 0.1
expect "the next window does not inherit any" same 0 "$(stolen)"
inject steal_late 5000 0
sleep 0.1
inject hardirq 120000 0
expect "nor what was stolen before it began" same 0 "$(stolen)"
finish
