#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount --smp 2
#
# What ticks do to idle states: timer interrupts a second, and entries into each state that
# the kernel's governor chooses, with and without ours. A VM has no idle states, so
# irqoff_cpuidle gives it three: C1, C1E (worth while from 600 us) and C6 (from 1.5 ms).
# A task on CPU 1 wakes 0, 50 or 500 times a second; CPU 0 has nothing to do but to watch it. "hlt" and "mwait" are the two ways in
# which hardware wakes, see inject/irqoff_cpuidle.c.
. "$(dirname "$0")/common.sh"

# seconds_for MODE HZ: for how long it is counted. Where little happens the longest, as the kernel's
# own few interrupts come as they like, and to take a snapshot is work during which ticks come. A
# second of "mwait" takes two: there the CPUs poll.
seconds_for() {
	case $1/$2 in
	*/500) echo 4 ;;
	mwait/*) echo 12 ;;
	*) echo 32 ;;
	esac
}

SLEEPER=$selftests/bin/sleeper
IDLE=/sys/devices/system/cpu/cpu1/cpuidle

# snapshot: timer interrupts of CPU 0 and 1, and entries into C1, C1E and C6 of CPU 1. By one
# program, as short as can be.
snapshot() {
	sed -n 's/^ *LOC: *\([0-9]* *[0-9]*\).*/\1/p; /^[0-9]*$/p' /proc/interrupts \
		$IDLE/state[012]/usage
}

# a_second WHAT SECONDS: five rows
a_second() {
	before=$(snapshot)
	sleep "$2"
	after=$(snapshot)
	echo "$before $after" | awk -v RS= -v what="$1" -v seconds="$2" '{
		n = split("timer interrupts a second on CPU 0,timer interrupts a second on CPU 1," \
			  "entries of C1 a second on CPU 1,entries of C1E a second on CPU 1," \
			  "entries of C6 a second on CPU 1", name, ",")
		for (i = 1; i <= n; i++)
			printf "row:%s,%s,%.1f,count\n", name[i], what,
				($(i + n) - $i) / seconds
	}'
}

# wakes HZ: for as long as the next benchmark lasts
wakes() {
	sleeper=
	[ "$1" = 0 ] || {
		taskset 2 "$SLEEPER" $((1000000 / $1)) &
		sleeper=$!
	}
}

start_bench
taskset -p 1 $$ >/dev/null
insmod "$(ko irqoff_cpuidle)" on=1
for mode in hlt mwait; do
	[ $mode = hlt ] || echo 1 >/sys/module/irqoff_cpuidle/parameters/mwait
	for timers in nothing "ours 10ms" "ours 2ms" "ours 1ms"; do
		[ "$timers" = nothing ] || load sampling_period="${timers#* }" enable=1
		for hz in 0 50 500; do
			wakes $hz
			# The governor goes by what it has seen lately.
			sleep 2
			a_second "$mode $hz/s $timers" "$(seconds_for $mode $hz)"
			[ -z "$sleeper" ] || kill "$sleeper"
		done
		unload
	done
done
