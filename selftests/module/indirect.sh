#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp isolated
# only: stock debug hz
# kernels: oldest newest
# Samples that interrupt one of the kernel's thunks for calls by pointer. The kernel's unwinder does
# not know the thunks. The stack must be that of the caller, down to the system call. In a window
# that is spent in calls by pointer, one sample in three interrupts a thunk. COUNT windows (default
# 20, on debug 5). The kernel command line of the machine selects the thunks.
. "$(dirname "$0")/../module.sh"
start_test

need_cpus 2
put "0-$CPU" cpus
trace 10ms 50ms
need_nmi

COUNT=${COUNT:-$(fewer 20 5)}
VULNERABILITIES=/sys/devices/system/cpu/vulnerabilities

# innermost: print the innermost frame of each sample in the report, and its caller
innermost() {
	awk '/^     AT: / { getline; inner = $1; getline; print inner, $1 }' $P/trace_latency
}

# in_thunk: the number of samples in a thunk. Their innermost frame is in inject_indirect(), one
# byte before the address to which inject_called() returns: inside the call instruction. No other
# sample has that address.
in_thunk() {
	returns=$(innermost | sed -n 's/^inject_called.* inject_indirect+\(0x[0-9a-f]*\).*/\1/p' |
		sort -u)
	innermost | grep -c "^inject_indirect+$(printf '0x%x' $((returns - 1)))/"
}

inject_times "$COUNT" indirect 120000 "$CPU"
made_by inject_indirect "$CPU" | samples >/tmp/samples
all=$(wc -l </tmp/samples)
note "$all samples; $(cat $VULNERABILITIES/spectre_v2 \
	$VULNERABILITIES/indirect_target_selection 2>/dev/null | tr '\n' ' ')"
expect "$COUNT windows are recorded" same "$COUNT" "$(made_by inject_indirect "$CPU" | wc -l)"
expect "there are more samples than windows" test "$all" -gt "$COUNT"
# A sample in a thunk against ITS has the return address of the call. A sample right after the call
# has the same address, so samples in these thunks cannot be counted. AMD's retpolines
# (lfence; jmp) have no call.
if grep -qE 'Retpolines|generic retpoline' "$VULNERABILITIES/spectre_v2" 2>/dev/null; then
	landed=$(in_thunk)
	note "$landed of these are in a thunk"
	expect "at least one sample in ten is in a thunk" test "$landed" -ge $((all / 10))
else
	skip "at least one sample in ten is in a thunk" "there are no retpolines"
fi
expect "each sample shows the caller of the thunk" \
	same "" "$(grep -v 'inject_obey.*;inject_indirect' /tmp/samples)"
expect "each sample has the stack down to the system call" \
	same "" "$(grep -v '^entry_SYSCALL' /tmp/samples)"
finish
