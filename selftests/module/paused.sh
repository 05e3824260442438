#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: real
# only: debug
# host: the test stops the VM in which it runs
# While a VM is stopped, there is no window. Not for VMs that count instructions: their clock does
# not run while they are stopped.
. "$(dirname "$0")/../lib.sh"
start_test

# lag: the wall clock time minus the time since boot, which the stop does not change, in seconds
lag() {
	echo $(($(cat /sys/class/rtc/rtc0/since_epoch) - $(now) / 100))
}

# stop_for SECONDS: request the stop, wait until it is over, and check how long it was
stop_for() {
	lag_before=$(lag)
	echo "pause $1" >"$VM_CONTROL"
	sleep 2
	between $(($1 - 1)) $(($(lag) - lag_before)) 600
}

trace 10ms 500ms
expect "a VM can be stopped for six seconds" stop_for 6
# 3 s: half of that time.
expect "the time of the stop is no window" no_window_of 3
expect "after the stop, tracing goes on" still_traced
finish
