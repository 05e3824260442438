#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: real
# only: debug
# host: it stops the VM that it runs in
# A VM that is stopped for a while: no window, whatever the wall says. In a VM that counts
# instructions no time passes while it is stopped, so this is for those with real time.
. "$(dirname "$0")/../lib.sh"
[ -n "${VM_CONTROL:-}" ] || skip_all "it stops the machine: only in a VM"
start_test
stay_on_cpu0
plan 3

# In seconds: of the wall, whether the VM runs or not, and for the CPUs.
wall() {
	cat /sys/class/rtc/rtc0/since_epoch
}

uptime() {
	cut -d . -f 1 /proc/uptime
}

# The guest goes on for a moment before it is stopped.
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
# Of half the time.
expect "which is no window" no_window_of 3
expect "and it goes on tracing" still_traced
finish
