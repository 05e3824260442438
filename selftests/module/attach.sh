#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# only: stock debug hz
# kernels: oldest newest
# host: the watchdog driver of the host may be hpwdt or ipmi_watchdog
# If the probe of the tracepoint cannot be registered, status says so. A lost NMI is sent again. No
# NMIs are sent while a driver is loaded that may panic on an unknown NMI.
. "$(dirname "$0")/../module.sh"
start_test
IPMI=$(ko ipmi_watchdog)
T=/sys/kernel/tracing

cleanup() {
	echo off >"$FAIL"
	! loaded hpwdt || rmmod hpwdt
	! loaded ipmi_watchdog || rmmod ipmi_watchdog
	unload_all
}
trap cleanup EXIT

nmi() {
	same "$1" "$(value nmi status)"
}

# with_samples: the number of records of inject_split() on CPU 1 that have samples
with_samples() {
	records kind=hardirq cpu=1 | grep inject_split | grep -c ' sample='
}

unload
echo "tracepoint_probe_register 1" >"$FAIL"
load enable=1
expect "if the probe cannot be registered, status says so" await grep -qx \
	"tick_source: own timer (scheduler's tick: no tracepoint)" $P/status
expect "without the probe, all CPUs are monitored" await runs_on
expect "without the probe, each CPU has a timer of its own" \
	same "$(cat /sys/devices/system/cpu/online)" "$(value cpus_own_timer status)"
unload
echo off >"$FAIL"
load enable=1
expect "after the next load the scheduler's tick is used" await scheduler_ticks

# seconds_open: the seconds from window_open to the end of the window
seconds_open() {
	sed -n 's/.* \([0-9]*\)[.][0-9]*: window[_a-z]*: .*kind=hardirq cpu=1 .*/\1/p' $T/trace |
		awk 'NR == 1 { open = $1 } END { print $1 - open }'
}

trace_all 10ms 50ms
echo "nmi_arch_send 1" >"$FAIL"
echo >$T/trace
echo 1 >$T/events/trace_irqoff/enable
inject split 5000000 1
echo 0 >$T/events/trace_irqoff/enable
lost=$(sed 's/.* failed=//' "$FAIL")
echo off >"$FAIL"
expect "a lost NMI is sent again each second" test "$lost" -ge 4
expect "window_open is fired in the window, also if no NMI is answered" \
	between 4 "$(seconds_open)" 60
sleep 1
put 0 trace_latency
inject split 300000 1
expect "when NMIs arrive again, a window has samples" test "$(with_samples)" -ge 1

# with_ilo VENDOR DEVICE SUBSYSTEM-VENDOR STATE: hpwdt is loaded, and a PCI device has these IDs: the
# NMI is in this state
with_ilo() {
	insmod "$(ko hpwdt)" vendor="$1" device="$2" subsystem_vendor="$3" || return
	nmi "$4"
	with_ilo_status=$?
	rmmod hpwdt
	return "$with_ilo_status"
}

# Drivers that may panic on an unknown NMI. hpwdt without an iLO, or with iLO 5, does not.
put 0 trace_latency
expect "hpwdt without an iLO is no risk" with_ilo 0 0 0 on
# Our own kernels have no PCI devices.
if [ -d /sys/bus/pci ]; then
	expect "while hpwdt is loaded and there is an iLO 2, no NMIs are sent" \
		with_ilo 0x0e11 0xb203 0x103c "off (hpwdt)"
	expect "while hpwdt is loaded and there is an iLO 3, no NMIs are sent" \
		with_ilo 0x103c 0x3306 0x103c "off (hpwdt)"
	expect "hpwdt with an iLO 5 is no risk" with_ilo 0x103c 0x3306 0x1590 on
	expect "hpwdt with another device of the same vendor is no risk" \
		with_ilo 0x103c 0xb203 0x103c on
fi
expect "after hpwdt is unloaded, NMIs are sent" nmi on
insmod "$IPMI" preaction=pre_nmi
# Before a read of status, which looks for the driver, too.
expect "the kernel log says that ipmi_watchdog prevents samples" \
	sh -c "dmesg | grep -q 'no samples in hardirq windows: ipmi_watchdog'"
expect "while ipmi_watchdog is loaded with a pre-timeout by NMI, no NMIs are sent" \
	nmi "off (ipmi_watchdog)"
inject split 200000 1
expect "without NMIs, there are no samples" same 0 "$(with_samples)"
echo pre_none >/sys/module/ipmi_watchdog/parameters/preaction
expect "with another pre-timeout, NMIs are sent" nmi on
echo pre_nmi >/sys/module/ipmi_watchdog/parameters/preaction
unload
load enable=1
expect "if ipmi_watchdog was loaded first, no NMIs are sent" nmi "off (ipmi_watchdog)"
unload
load enable=1 nmi=1
expect "with nmi=1, NMIs are sent in spite of ipmi_watchdog" nmi on
inject split 200000 1
expect "with nmi=1, there are samples in spite of ipmi_watchdog" \
	await sh -c "grep inject_split $P/records | grep -q ' sample='"
rmmod ipmi_watchdog
unload
load enable=1 nmi=0
expect "with nmi=0, no NMIs are sent" nmi "off (parameter)"
unload
load enable=1

# Enable tracing while the driver is being loaded, when it is not in sysfs yet.
insmod "$IPMI" slow=1 preaction=pre_nmi &
sleep 0.5
put 0 enable
put 1 enable
expect "while ipmi_watchdog is being loaded, no NMIs are sent" nmi "off (ipmi_watchdog)"
wait
expect "when ipmi_watchdog has been loaded, no NMIs are sent" nmi "off (ipmi_watchdog)"
rmmod ipmi_watchdog
expect "after ipmi_watchdog is unloaded, NMIs are sent" nmi on
finish
