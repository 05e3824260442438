#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock debug hz
# kernels: oldest newest
# NMIs that no handler has a reason for. One of ours may come when its request has been
# answered already: within a second of its last answer a CPU claims one such NMI. All others are
# those of broken hardware, and the kernel has to say so.
. "$(dirname "$0")/../lib.sh"
[ -n "${VM_CONTROL:-}" ] || skip_all "the kernel complains: only in a VM"
start_test
CPU=$(last_cpu)
need_cpus 2
need_nmi
stay_on_cpu0
plan 9

UNKNOWN="NMI received for unknown reason"

# How often the kernel has complained.
complaints() {
	dmesg | grep -c "$UNKNOWN"
}

# complains COMMAND...: it does so once more. Who runs this VM is told beforehand.
complains() {
	echo "expect $UNKNOWN" >"$VM_CONTROL"
	complains_before=$(complaints)
	"$@"
	same $((complains_before + 1)) "$(complaints)"
}

silent() {
	silent_before=$(complaints)
	"$@"
	same "$silent_before" "$(complaints)"
}

nmi() {
	inject nmi 1 "$CPU"
}

# The CPU answers requests for looks.
answers() {
	taken=$(value nmi_taken status)
	inject spinlock 300000 "$CPU"
	[ "$(value nmi_taken status)" -gt "$taken" ]
}

expect "turned off, an NMI of others is complained of" complains nmi
# With a threshold as long as this nothing but the first tick that is missed has a look.
trace 100ms 50s
await runs_on "0-$CPU"
expect "turned on too" complains nmi

expect "a CPU answers a request" answers
expect "an NMI that comes within a second of it is one of ours, and is claimed" silent nmi
expect "a second one is not" complains nmi

expect "the CPU answers another one" answers
# Off meanwhile: a tick that is late because the host had no time would be answered, too.
put 0 enable
sleep 1.3
expect "an NMI that comes later than a second after that is not claimed" complains nmi
put 1 enable
await runs_on "0-$CPU"

answers
unload
expect "nor is any when the module is gone" complains nmi
expect "it was $UNKNOWN, five times" same 5 "$(complaints)"
finish
