#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount --smp 4
# vm: --icount --smp 8
#
# The cost on idle CPUs: timer interrupts a second, and entries into the deepest idle state. A task
# on the last CPU wakes 0, 50 or 500 times a second. A VM has no idle states, so irqoff_cpuidle
# gives it C1, C1E (target residency 600 us) and C6 (1.5 ms).
. "$(dirname "$0")/common.sh"

SECONDS_EACH=32

# snapshot: print the timer interrupts of each CPU, and its entries into the deepest idle state
snapshot() {
	timer_interrupts
	for cpu in $(seq 0 "$LAST"); do
		cat "/sys/devices/system/cpu/cpu$cpu/cpuidle/$deepest/usage"
	done
}

# a_second WHAT: print rows. Of the CPUs without the task, the two with most interrupts may be watchers.
a_second() {
	before=$(snapshot)
	sleep $SECONDS_EACH
	after=$(snapshot)
	echo "$before $after" | awk -v RS= -v cpus=$((LAST + 1)) '{
		for (i = 1; i < cpus; i++)
			print "idle", $(i + 2 * cpus) - $i
		print "task", $(4 * cpus) - $(2 * cpus)
	}' | sort -k 1,1 -k 2,2nr | awk -v what="$1" -v seconds=$SECONDS_EACH '
		function row(name) {
			printf "row:%s,%s,%.1f,count\n", name, what, $2 / seconds
		}
		NR == 1		{ row("timer interrupts a second: most on an idle CPU") }
		NR == 3 && /idle/ { row("timer interrupts a second: third most on an idle CPU") }
		/task/		{ row("entries into the deepest idle state a second on the CPU with the task") }'
}

start_bench
! in_vm || insmod "$(ko irqoff_cpuidle)" on=1
# shellcheck disable=SC2012 # names without blanks
deepest=$(ls /sys/devices/system/cpu/cpu0/cpuidle | tail -n 1)
[ -n "$deepest" ] || die "this machine has no idle states"
for module in without with; do
	[ $module = without ] || load enable=1
	for hz in 0 50 500; do
		[ $hz = 0 ] || background taskset -c "$LAST" "$selftests/bin/sleeper" $((1000000 / hz))
		# The governor predicts a sleep from recent sleeps: give it time.
		sleep 3
		a_second "$((LAST + 1)) CPUs $hz/s $module"
		stop_background
	done
	unload
done
