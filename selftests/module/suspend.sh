#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: suspend
# only: stock
# kernels: newest
# host: the test suspends
# A suspend to RAM, which the real-time clock ends: all CPUs but one go offline, and the last one
# loses its state. The suspend is no window, no record is lost, and each CPU is monitored as before.
. "$(dirname "$0")/../module.sh"
grep -qw deep /sys/power/mem_sleep 2>/dev/null || skip_all "the kernel offers no suspend to RAM"
start_test

RTC=/sys/class/rtc/rtc0
SECONDS_ASLEEP=8	# the suspend itself takes one or two of them
ALL=$(cat /sys/devices/system/cpu/online)
echo deep >/sys/power/mem_sleep

# suspend: the suspend succeeds, and takes SECONDS_ASLEEP of the real-time clock
suspend() {
	suspend_nr=$(cat /sys/power/suspend_stats/success)
	suspend_begin=$(cat "$RTC"/since_epoch)
	echo 0 >"$RTC"/wakealarm
	echo "+$SECONDS_ASLEEP" >"$RTC"/wakealarm
	echo mem >/sys/power/state || return 1
	same $((suspend_nr + 1)) "$(cat /sys/power/suspend_stats/success)" &&
		between $((SECONDS_ASLEEP - 1)) $(($(cat "$RTC"/since_epoch) - suspend_begin)) 60
}

# found_on_each: a window on each CPU is recorded, with a sample of the function that made it
found_on_each() {
	for cpu in $(seq 0 "$CPU"); do
		is_recorded hardirq 300000 "$cpu" || return
		records | samples | grep inject_hardirq ||
			{ echo "no sample on CPU $cpu"; return 1; }
	done
}

settings() {
	grep -E '^(enabled|sampling_period|threshold|cpus|nmi|tick_source|nr_records):' $P/status
}

trace_all 10ms 100ms
before=$(settings)
is_recorded hardirq 300000 "$CPU"
end=$(records kind=hardirq cpu="$CPU" | field end | head -n 1)
expect "the system is suspended to RAM, and wakes" suspend
expect "after the suspend, all CPUs are monitored" await runs_on "$ALL"
expect "the suspend is no window" no_window_of $((SECONDS_ASLEEP / 2))
expect "after the suspend, no window is open" await reads active ""
expect "a record from before the suspend is kept" recorded "end=${end:-none}"
expect "no record is lost" same 0 "$(value records_lost status)"
expect "the suspend does not change settings" await eval "same '$before' \"\$(settings)\""
expect "on each CPU, a window is recorded with a sample" found_on_each
expect "all CPUs tick" ticks_on "$(seq -s ' ' 0 "$CPU")"
put 0 enable
expect "while disabled, the system is suspended to RAM, and wakes" suspend
expect "the suspend does not enable tracing" reads enable disabled
expect "while disabled, the suspend starts no timer" same 0 "$(timers)"
finish
