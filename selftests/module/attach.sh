#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# only: stock debug hz
# kernels: oldest newest
# host: its own watchdog's driver may be hpwdt
# What is hooked into the kernel, and that it is only while tracing: the tracepoint and the
# handlers of NMIs. What cannot be had is told; and an NMI that is lost is sent again.
. "$(dirname "$0")/../lib.sh"
start_test
FAIL=/proc/irqoff_fail
[ -e "$FAIL" ] || skip_all "calls cannot be counted here"
need_cpus 2
need_nmi
HPWDT=$(ko hpwdt) || skip_all "hpwdt.ko has not been built"
stay_on_cpu0
plan 21

cleanup() {
	echo off >"$FAIL"
	! loaded hpwdt || rmmod hpwdt
	unload_all
}
trap cleanup EXIT

# count_calls FUNCTION: from now on; none fails
count_calls() {
	echo "$1 1000000" >"$FAIL"
}

calls() {
	sed 's/.* calls=\([0-9]*\) .*/\1/' "$FAIL"
}

called() {
	[ "$(calls)" -gt 0 ]
}

nmi() {
	same "$1" "$(value nmi status)"
}

# Records of our windows on CPU 1 that have looks.
with_looks() {
	records kind=hardirq cpu=1 | grep inject_split | grep -c ' sample='
}

unload
for function in __register_nmi_handler tracepoint_probe_register; do
	count_calls $function
	load
	sleep 1
	expect "loaded but off, nothing is put in ($function)" same 0 "$(calls)"
	put 1 enable
	expect "on, it is" await called
	await idle_hook on
	unload
done
load
for function in unregister_nmi_handler tracepoint_probe_unregister; do
	put 1 enable
	await idle_hook on
	count_calls $function
	put 0 enable
	expect "off again, it is taken away ($function)" await called
done
echo off >"$FAIL"
expect "off, status says that there is no hook" idle_hook "off (disabled)"
expect "and the CPUs are left alone" same none "$(value cpus_riding status)"

unload
echo "tracepoint_probe_register 1" >"$FAIL"
load enable=1
expect "a hook that cannot be had is told" await idle_hook "off (no hook)"
expect "it is monitored all the same" await runs_on "$(cat /sys/devices/system/cpu/online)"
unload
echo off >"$FAIL"
load enable=1
expect "the next time it is there" await idle_hook on

# Which function sends NMIs here?
send=
for function in flat_send_IPI_mask default_send_IPI_mask_logical \
	default_send_IPI_mask_sequence_phys; do
	count_calls $function 2>/dev/null || continue
	inject split 200000 1
	! called || send=$function
	[ -z "$send" ] || break
done
note "NMIs are sent by ${send:-nobody knows what}"
put 0 enable
trace 10ms 50ms
await idle_hook on
echo "$send 1 again" >"$FAIL"
inject split 5000000 1
lost=$(sed 's/.* failed=//' "$FAIL")
echo off >"$FAIL"
expect "while all NMIs are lost, a window has no looks" same 0 "$(with_looks)"
expect "one is sent again each second" test "$lost" -ge 4
sleep 1
put 0 trace_latency
inject split 300000 1
expect "and the next that arrives has the CPU take a look" test "$(with_looks)" -ge 1

# Drivers that panic on an NMI that they do not know.
put 0 trace_latency
insmod "$HPWDT"
expect "no NMIs from when hpwdt is loaded" nmi "off (hpwdt is loaded)"
inject split 200000 1
expect "then there are no looks" same 0 "$(with_looks)"
unload
load enable=1
expect "nor when it was there before" nmi "off (hpwdt is loaded)"
unload
load enable=1 nmi=1
expect "but with nmi=1" nmi on
inject split 200000 1
expect "there are" await sh -c "grep inject_split $P/records | grep -q ' sample='"
rmmod hpwdt
unload
load enable=1 nmi=0
expect "and none with nmi=0" nmi "off (parameter)"
unload
load
expect "without hpwdt they are used" nmi on
finish
