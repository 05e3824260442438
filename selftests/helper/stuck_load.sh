#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# only: 5.10
# long: smp4
# CPU 1 has interrupts off before the module is loaded. To load a module, the kernel waits for all
# CPUs, and spins on a second CPU meanwhile. The helper needs a third CPU to run on.
#
# Not on 6.12 and 7.2: after other tests, these kernels sometimes loaded the module at once,
# although CPU 1 was stuck. The cause is not known. Not on "debug", where the start of a program
# takes tens of seconds while a CPU spins.
. "$(dirname "$0")/../lib.sh"
. "$here/lib"
start_test
[ "$(last_cpu)" -ge 2 ] || skip_all "this machine has fewer than three CPUs"
unload
plan 9

find_helper

# Long enough for all programs to start on a busy host. Lockup detectors would report a window of
# this length.
WINDOW_S=25
echo 0 >/proc/sys/kernel/watchdog
echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress

# Keep this test and its programs away from CPU 1, where they would wait until interrupts are on.
taskset -p d $$ >/dev/null

# get_stuck: start the process $stuck, which disables interrupts on CPU 1, and wait a second
get_stuck() {
	inject hardirq ${WINDOW_S}000000 1 &
	stuck=$!
	sleep 1
}

# is_stuck: interrupts on CPU 1 are still off
is_stuck() {
	[ -d "/proc/$stuck" ]
}

# interrupted: SIGINT ends a run while the kernel is still loading the module
interrupted() {
	"$selftests/bin/foreground" "$HELPER" run -d 60s >"$OUT" 2>"$OUT.err" &
	run=$!
	sleep 3
	kill -s INT "$run"
	ends_with 1 wait "$run" && is_stuck
}

# is_off: the module is loaded and disabled, and no session is open
is_off() {
	await reads enable disabled && same none "$(value session status)"
}

get_stuck
expect "a run waits for the CPU that delays the loading of the module" \
	ends_with 0 helper_to_out run -d 1s -t 10s --load-timeout 60s
expect "after the run, the module is unloaded" test ! -e $P
wait

get_stuck
expect "a run gives up after --load-timeout" ends_with 1 helper_to_out run -d 60s --load-timeout 3s
expect "the run gives up while the CPU is still stuck" is_stuck
expect "the run says that the kernel waits for a CPU" says "waits for a CPU" cat "$OUT.err"
wait
expect "the module is loaded later, and is disabled" is_off
rmmod trace_irqoff

get_stuck
expect "SIGINT ends a run that waits for the CPU" interrupted
expect "the interrupted run says that the kernel waits for a CPU" says "waits for a CPU" cat "$OUT.err"
wait
expect "after SIGINT, the module is loaded later, and is disabled" is_off
finish
