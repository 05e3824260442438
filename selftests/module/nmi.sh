#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock debug hz
# kernels: oldest newest
# NMIs that no handler expects. An NMI of the module may arrive after its request was answered. So a
# CPU claims one unexpected NMI within a second of its last answer. All other unexpected NMIs are
# from broken hardware, and the kernel must report them.
. "$(dirname "$0")/../module.sh"
[ -n "${VM_CONTROL:-}" ] || skip_all "the kernel complains: only in a VM"
start_test
need_nmi

UNKNOWN="NMI received for unknown reason"

complaints() {
	dmesg | grep -c "$UNKNOWN"
}

# complains: the kernel reports the next NMI as unknown, which "vm run" expects
complains() {
	echo "expect $UNKNOWN" >"$VM_CONTROL"
	complains_before=$(complaints)
	inject nmi 1 "$CPU"
	same $((complains_before + 1)) "$(complaints)"
}

silent() {
	silent_before=$(complaints)
	inject nmi 1 "$CPU"
	same "$silent_before" "$(complaints)"
}

# answers: the CPU answers a request for a sample
answers() {
	taken=$(value nmi_taken status)
	inject spinlock 300000 "$CPU"
	[ "$(value nmi_taken status)" -gt "$taken" ]
}

expect "while disabled, the kernel reports an NMI that no handler expects" complains
# With this threshold, a window has only one sample, when the first tick is missed.
trace 100ms 50s
await runs_on "0-$CPU"
expect "while enabled, the kernel reports an NMI that no handler expects" complains

expect "a CPU answers a request for a sample" answers
expect "an NMI within a second of the answer is claimed" silent
expect "a second NMI within that second is not claimed" complains

expect "the CPU answers another request" answers
# Disabled meanwhile: otherwise a busy host may delay a tick, and the CPU answers another request.
put 0 enable
sleep 1.3
expect "an NMI more than a second after the answer is not claimed" complains
put 1 enable
await runs_on "0-$CPU"

answers
unload
expect "after unload, no NMI is claimed" complains
expect "the kernel has reported five NMIs" same 5 "$(complaints)"
finish
