#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount smp
# kernels: oldest newest
# A record has the stolen time of its window. An emulator does not report stolen time, so the test
# module adds it to the kernel's statistics.
. "$(dirname "$0")/../lib.sh"
start_test
put 0 nosched

stolen() {
	records | tail -n 1 | field steal_ns
}

# all_of_it: the newest record has the true length of the window as stolen time
all_of_it() {
	same "$(injected_ns "$CPU")" "$(stolen)"
}

trace 10ms 50ms
inject hardirq 120000 "$CPU"
expect "a window without stolen time has steal_ns=0" same 0 "$(stolen)"
expect "the report has no STEAL for that window" sh -c "! grep STEAL $P/trace_latency"

put 0 trace_latency
inject steal 120000 "$CPU"
expect "stolen time that is known at the end is recorded" all_of_it
expect "the report has STEAL after the bounds" \
	grep -qE ' LATENCY: 1[0-2].ms MAX: 1[23].ms STEAL: 120ms TIME: ' $P/trace_latency
sleep 0.1
expect "the recorded stolen time does not change later" all_of_it

made steal_late 120000
expect "stolen time that is known later is added to the record" await all_of_it
expect "a window with stolen time that is known later has one record" same 1 "$(count)"

made steal_inside 120000
expect "stolen time of a hardirq window is not counted for the softirq window around it" \
	same "hardirq stolen softirq 0" "$(
		sed -n 's/^.* kind=\([a-z]*\) .* steal_ns=\([0-9]*\) .*/\1 \2/p' "$P/records" |
		sed 's/ 1[0-9]\{8\}$/ stolen/' | sort | paste -s -d ' ')"
expect "status counts the windows of which the host took at least half" \
	same 3 "$(value windows_hardirq_stolen status)"
expect "status has the sum of the lengths of these hardirq windows" \
	test "$(value windows_hardirq_stolen_us status)" -ge 300000

# The tick that ends steal_late ends the preempt window, too (on 5.10 a softirq window: nosched.sh).
put 0 trace_latency
put 1 nosched
inject preempt 120000 "$CPU"
inject steal_late 120000 "$CPU"
sleep 0.1
expect "a nosched window has no stolen time from after its end" \
	same 0 "$(records | grep -v kind=hardirq | field steal_ns | sort -u)"
finish
