#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount --smp 2
# vm: --icount --smp 4
# vm: --icount --smp 8
#
# The cost on idle CPUs: timer interrupts a second, and entries into the deepest idle state. A VM has no idle
# states, so irqoff_cpuidle gives it C1, C1E (target residency 600 us) and C6 (1.5 ms). A task on the last CPU
# wakes 0, 50 or 500 times a second.
. "$(dirname "$0")/common.sh"

SECONDS_EACH=32
LAST=$(last_cpu)
SLEEPER=$selftests/bin/sleeper

# snapshot: timer interrupts of each CPU, and entries into C6 of each CPU
snapshot() {
	sed -n 's/^ *LOC: *\([0-9 ]*\).*/\1/p; /^[0-9]*$/p' /proc/interrupts \
		/sys/devices/system/cpu/cpu*/cpuidle/state2/usage
}

# a_second WHAT: print rows. Of the CPUs without the task, the two with most interrupts may be watchers.
a_second() {
	before=$(snapshot)
	sleep $SECONDS_EACH
	after=$(snapshot)
	echo "$before $after" | awk -v RS= -v what="$1" -v seconds=$SECONDS_EACH -v cpus=$((LAST + 1)) '
		function row(name, count) {
			printf "row:%s,%s,%.1f,count\n", name, what, count / seconds
		}
		{
			first = second = third = 0
			for (i = 1; i < cpus; i++) {
				n = $(i + 2 * cpus) - $i
				if (n > first) {
					third = second
					second = first
					first = n
				} else if (n > second) {
					third = second
					second = n
				} else if (n > third) {
					third = n
				}
			}
			row("timer interrupts a second: the most on a CPU without a task", first)
			if (cpus > 2)
				row("timer interrupts a second: the second most", second)
			if (cpus > 3)
				row("timer interrupts a second: the third most", third)
			row("timer interrupts a second on the CPU with the task",
			    $(3 * cpus) - $cpus)
			row("entries of C6 a second on the CPU with the task",
			    $(4 * cpus) - $(2 * cpus))
		}'
}

start_bench
taskset -p 1 $$ >/dev/null
insmod "$(ko irqoff_cpuidle)" on=1
for timers in nothing "ours 10ms" "ours 2ms" "ours 1ms"; do
	[ "$timers" = nothing ] || load sampling_period="${timers#* }" enable=1
	for hz in 0 50 500; do
		sleeper=
		[ $hz = 0 ] || {
			taskset -c "$LAST" "$SLEEPER" $((1000000 / hz)) &
			sleeper=$!
		}
		# The governor predicts from recent sleeps.
		sleep 3
		a_second "$((LAST + 1)) CPUs $hz/s $timers"
		[ -z "$sleeper" ] || kill "$sleeper"
	done
	unload
done
