#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: isolated
# kernels: oldest newest-rt newest
# The module monitors a CPU that was isolated at boot only if "cpus" has this CPU. Loading interrupts
# the CPU, as the kernel patches its code; enabling does not.
. "$(dirname "$0")/../module.sh"
start_test
ISOLATED=$(cat /sys/devices/system/cpu/isolated)
[ -n "$ISOLATED" ] || skip_all "no CPU is isolated"

calls() {
	interrupts "Function call interrupts" "$ISOLATED"
}

expect "by default, cpus does not have the isolated CPU" reads cpus 0
unload
before=$(calls)
load
put 1 enable
await grep -qx "tick_source: scheduler" $P/status
put 0 enable
expect "loading interrupts the isolated CPU, for a patch of the kernel" \
	test "$(calls)" -gt "$before"
before=$(calls)
put 1 enable
sleep 0.5
put 0 enable
expect "enabling, tracing and disabling do not interrupt the isolated CPU" \
	same 0 $(($(calls) - before))

trace 10ms 50ms
sleep 0.5
expect "only the other CPU is monitored" same 0 "$(value cpus_running status)"
expect "only the other CPU ticks" await ticks_on 0
expect "the isolated CPU has no timer of the module" same 0 "$(timers "$ISOLATED")"
sent=$(value nmi_sent status)
inject hardirq 120000 "$ISOLATED"
expect "windows of the isolated CPU are not recorded" same 0 "$(count cpu="$ISOLATED")"
expect "no NMI is sent to the isolated CPU" same "$sent" "$(value nmi_sent status)"
put 0 enable

put "0-$ISOLATED" cpus
put 1 enable
expect "if cpus has the isolated CPU, its windows are recorded" \
	is_recorded hardirq 120000 "$ISOLATED"
expect "if cpus has the isolated CPU, it ticks" await ticks_on "0 $ISOLATED"
put 0 enable

unload
load enable=1 cpus="$ISOLATED"
expect "the parameter cpus can select the isolated CPU" reads cpus "$ISOLATED"
expect "with that parameter, its windows are recorded" is_recorded hardirq 120000 "$ISOLATED"
alone="one CPU"
[ "$(uname -m)" = x86_64 ] || alone=architecture
expect "with one monitored CPU, status says that no NMIs are sent" \
	same "off ($alone)" "$(value nmi status)"
finish
