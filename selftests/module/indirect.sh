#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp isolated
# only: stock debug hz
# kernels: oldest newest
# Looks that land in one of the kernel's thunks for calls by pointer, of which its unwinder
# knows nothing: the stack is that of whoever calls, to its end. In a window that is spent
# in such calls one in three does. COUNT windows (default 20, on debug 5). Which thunks, if any, the
# kernel uses is said by the command line of the machine.
. "$(dirname "$0")/../lib.sh"
start_test

CPU=$(last_cpu)
need_cpus 2
stay_on_cpu0
put "0-$CPU" cpus
trace 10ms 50ms
need_nmi
plan 5

COUNT=${COUNT:-$(fewer 20 5)}
VULNERABILITIES=/sys/devices/system/cpu/vulnerabilities

made() {
	records kind=hardirq "cpu=$CPU" | grep ' stack=[^ ]*inject_indirect'
}

each_knows_its_caller() {
	! made | looks | grep -v 'inject_obey.*;inject_indirect'
}

# The innermost frame of each look of the report, and the one that called it.
innermost() {
	awk '/^     AT: / { getline; inner = $1; getline; print inner, $1 }' $P/trace_latency
}

# A look that landed in a thunk shows the call that led there, by an address in the middle of the
# call: one byte before the one to which inject_called() returns. No other look is there.
in_thunk() {
	returns=$(innermost | sed -n 's/^inject_called.* inject_indirect+\(0x[0-9a-f]*\).*/\1/p' |
		sort -u)
	innermost | grep -c "^inject_indirect+$(printf '0x%x' $((returns - 1)))/"
}

each_goes_to_the_end() {
	! made | looks | grep -v '^entry_SYSCALL'
}

inject_times "$COUNT" indirect 120000 "$CPU"
note "$(made | looks | wc -l) looks; $(cat $VULNERABILITIES/spectre_v2 \
	$VULNERABILITIES/indirect_target_selection 2>/dev/null | tr '\n' ' ')"
expect "$COUNT windows are recorded" same "$COUNT" "$(made | wc -l)"
expect "with a look each, and more" test "$(made | looks | wc -l)" -gt "$COUNT"
# A look into a thunk against ITS shows the address that the call returns to, as one does that came
# just after the call: there it cannot be told.
if grep -qi retpoline "$VULNERABILITIES/spectre_v2" 2>/dev/null; then
	landed=$(in_thunk)
	note "of which $landed landed in a thunk"
	expect "one in ten of which landed in a thunk, and more" \
		test "$landed" -ge $(($(made | looks | wc -l) / 10))
else
	skip "one in ten of which landed in a thunk" "there are no retpolines"
fi
expect "each look shows who calls" each_knows_its_caller
expect "and the stack down to the system call" each_goes_to_the_end
finish
