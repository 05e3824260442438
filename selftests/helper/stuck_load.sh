#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# only: 5.10
# long: smp4
# CPU 1 has interrupts off before the module is loaded. The kernel waits for all CPUs to load it,
# and spins on one more meanwhile, so there have to be others that the helper can run on.
#
# Not on 6.12 and 7.2: there the module was at times loaded at once while CPU 1 was stuck, after
# other tests; why, has not been traced. Not on "debug": it takes tens of seconds to start a
# program while a CPU spins.
. "$(dirname "$0")/../lib.sh"
start_test
[ "$(last_cpu)" -ge 2 ] || skip_all "there are no three CPUs"
unload
plan 9

OUT=/tmp/helper.out
HELPER=$selftests/../trace-irqoff
[ -e "$HELPER" ] || HELPER=$selftests/../scripts/trace-irqoff
mkdir -p /run

# Windows longer than lockup detectors like: a busy host is slow to get all this started.
WINDOW_S=25
echo 0 >/proc/sys/kernel/watchdog
echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress

# Who is stuck runs nothing else, and what is started here is not put there to wait.
taskset -p d $$ >/dev/null

# CPU 1 is, as process $stuck, for a second already.
get_stuck() {
	inject hardirq ${WINDOW_S}000000 1 &
	stuck=$!
	sleep 1
}

# ends_with STATUS COMMAND...
ends_with() {
	ends_status=$1
	shift
	status=0
	"$@" || status=$?
	[ "$status" = "$ends_status" ] || {
		echo "it ended with $status"
		tail -n 5 "$OUT" "$OUT.err"
		return 1
	}
}

helper() {
	"$HELPER" "$@" >"$OUT" 2>"$OUT.err"
}

says() {
	grep -q "$1" "$2" || {
		head -n 5 "$OUT" "$OUT.err"
		return 1
	}
}

is_stuck() {
	[ -d "/proc/$stuck" ]
}

# interrupted: by Ctrl-C, while the kernel still loads the module
interrupted() {
	"$selftests/bin/foreground" "$HELPER" run -d 60s >"$OUT" 2>"$OUT.err" &
	run=$!
	sleep 3
	kill -s INT "$run"
	ends_with 1 wait "$run" && is_stuck
}

# is_off: the module is there, and does not trace
is_off() {
	await reads enable disabled && same none "$(value session status)"
}

get_stuck
expect "run waits for a CPU that delays the loading of the module" \
	ends_with 0 helper run -d 1s -t 10s --load-timeout 60s
expect "the module is not left behind" test ! -e $P
wait

get_stuck
expect "run gives up after --load-timeout" ends_with 1 helper run -d 60s --load-timeout 3s
expect "while that CPU is still stuck" is_stuck
expect "and says what delays it" says "waits for a CPU" "$OUT.err"
wait
expect "the module is then loaded, and does not trace" is_off
rmmod trace_irqoff

get_stuck
expect "Ctrl-C ends the wait" interrupted
expect "with the same words" says "waits for a CPU" "$OUT.err"
wait
expect "and the module is loaded later, too" is_off
finish
