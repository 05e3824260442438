#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount smp
# kernels: oldest newest
# A record has the stolen time of its window. An emulator does not report stolen time, so the test
# module adds it to the kernel's statistics. (unit/unit tests which windows have which stolen time.)
. "$(dirname "$0")/../module.sh"
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
expect "status counts the windows of which the host took at least half" \
	same 1 "$(value windows_hardirq_stolen status)"
expect "status has the sum of the lengths of these hardirq windows" \
	test "$(value windows_hardirq_stolen_us status)" -ge 100000
finish
