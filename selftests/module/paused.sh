#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: real
# only: debug
# host: the test stops the VM in which it runs
# While a VM is stopped, there is no window. Not for VMs that count instructions: their clock does
# not run while they are stopped.
. "$(dirname "$0")/../lib.sh"
start_test
stay_on_cpu0

# wall: wall clock time in seconds. uptime: seconds since boot, without the time of the stop.
wall() {
	cat /sys/class/rtc/rtc0/since_epoch
}

uptime() {
	cut -d . -f 1 /proc/uptime
}

# stop_for SECONDS: request the stop, wait until it is over, and check how long it was
stop_for() {
	lag=$(($(wall) - $(uptime)))
	echo "pause $1" >"$VM_CONTROL"
	sleep 2
	lag=$(($(wall) - $(uptime) - lag))
	[ "$lag" -ge $(($1 - 1)) ] || {
		echo "the VM was stopped for only $lag s"
		return 1
	}
}

trace 10ms 500ms
expect "a VM can be stopped for six seconds" stop_for 6
# 3 s: half of that time.
expect "the time of the stop is no window" no_window_of 3
expect "after the stop, tracing goes on" still_traced
finish
