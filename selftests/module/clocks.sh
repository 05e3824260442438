#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# kernels: oldest newest newest-arm64
# host: the test sets the clock, and suspends
# Neither a change of the wall clock nor a suspend to idle is a window.
. "$(dirname "$0")/../module.sh"
start_test

# freeze_for SECONDS: the time since boot includes the suspend
freeze_for() {
	begin=$(now)
	inject wakeup "$1"000000 0
	echo freeze >/sys/power/state && [ $(($(now) - begin)) -ge $(($1 * 100 - 100)) ]
}

# on_the_wall: the end of the record is the wall clock time at which the window was made
on_the_wall() {
	from=$(date +%s)
	is_recorded hardirq 700000 1
	between "$from" "$(records kind=hardirq cpu=1 | field end | cut -d . -f 1)" \
		$(($(date +%s) + 1))
}

trace 10ms 500ms

now=$(date +%s)
date -s "@$((now + 100000))" >/dev/null
sleep 0.5
# 3 s: half of the shortest change or suspend.
expect "a clock that is set forward is no window" no_window_of 3
expect "after setting forward, the next window ends at the new time" on_the_wall
date -s "@$((now - 100000))" >/dev/null
sleep 0.5
expect "a clock that is set back is no window" no_window_of 3
expect "after setting back, the next window ends at the new time" on_the_wall
date -s "@$((now + 5))" >/dev/null
expect "after the clock was set, tracing goes on" still_traced

expect "the system can be suspended to idle" freeze_for 6
expect "a suspend to idle is no window" no_window_of 3
expect "after a suspend to idle, tracing goes on" still_traced
expect "after a suspend to idle, no window is open" reads active ""
finish
