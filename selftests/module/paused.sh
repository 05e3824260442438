#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: real
# only: debug
# host: it stops the VM that it runs in
# A VM that is stopped for a while has no window. Not for VMs that count instructions: there no time passes
# while they are stopped.
. "$(dirname "$0")/../lib.sh"
[ -n "${VM_CONTROL:-}" ] || skip_all "it stops the machine: only in a VM"
start_test
stay_on_cpu0
plan 3

# wall, uptime: seconds of wall clock time, and since boot without the time that the VM was stopped
wall() {
	cat /sys/class/rtc/rtc0/since_epoch
}

uptime() {
	cut -d . -f 1 /proc/uptime
}

# stop_for SECONDS: the VM goes on for a moment before it is stopped
stop_for() {
	lag=$(($(wall) - $(uptime)))
	echo "pause $1" >"$VM_CONTROL"
	sleep 2
	lag=$(($(wall) - $(uptime) - lag))
	[ "$lag" -ge $(($1 - 1)) ] || {
		echo "it was stopped for $lag s"
		return 1
	}
}

trace 10ms 500ms
expect "a VM can be stopped for six seconds" stop_for 6
# 3 s: half of that time.
expect "the time of the stop is no window" no_window_of 3
expect "after the stop, tracing goes on" still_traced
finish
