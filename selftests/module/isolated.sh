#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: isolated
# kernels: oldest 6.12-rt newest
# A CPU that was isolated at boot is not disturbed: it is monitored only if the user writes it to "cpus".
. "$(dirname "$0")/../lib.sh"
start_test
ISOLATED=$(cat /sys/devices/system/cpu/isolated)
[ -n "$ISOLATED" ] || skip_all "no CPU is isolated"
stay_on_cpu0
plan 12

expect "the isolated CPU is not monitored" reads cpus 0
trace 10ms 50ms
sleep 0.5
expect "it runs on the other one" same 0 "$(value cpus_running status)"
expect "with ticks there" await ticks_on 0
expect "and none on the isolated CPU" same 0 "$(timers "$ISOLATED")"
sent=$(value nmi_sent status)
inject hardirq 120000 "$ISOLATED"
expect "no window is recorded there" same 0 "$(count cpu="$ISOLATED")"
expect "and no NMI sent" same "$sent" "$(value nmi_sent status)"
put 0 enable

put "0-$ISOLATED" cpus
put 1 enable
inject hardirq 120000 "$ISOLATED"
expect "when it is in cpus, its windows are recorded" \
	await recorded kind=hardirq cpu="$ISOLATED"
expect "and it ticks" await ticks_on "0 $ISOLATED"
put 0 enable
expect "when tracing is disabled, no timer is left" same 0 "$(timers)"

unload
load enable=1 cpus="$ISOLATED"
expect "a parameter can select it, too" reads cpus "$ISOLATED"
inject hardirq 120000 "$ISOLATED"
expect "then its windows are recorded" \
	await recorded kind=hardirq cpu="$ISOLATED"
expect "with one monitored CPU, status says that no NMIs are sent" \
	same "$(no_nmi_alone)" "$(value nmi status)"
finish
