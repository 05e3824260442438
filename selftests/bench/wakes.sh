#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount --smp 2 --append isolcpus=1
#
# The cost for a task that sleeps often: the instructions from the timer interrupt that wakes its CPU until
# that CPU is idle again. irqoff_cpuidle counts them, in cycles. The task sleeps for 0.3, 1 and 3 ms in turn,
# on CPU 1, which is isolated.
. "$(dirname "$0")/common.sh"

SECONDS_EACH=20
CYCLES=8 # of an instruction, with more than one CPU (vm --icount)

# wake_ups [PARAMETER...]: "CYCLES WAKE-UPS" of CPU 1 in SECONDS_EACH, with the module if there are parameters
wake_ups() {
	[ $# = 0 ] || load "$@"
	sleep 3
	counts=/sys/module/irqoff_cpuidle/parameters/awake
	before=$(sed -n 2p $counts)
	sleep $SECONDS_EACH
	after=$(sed -n 2p $counts)
	unload
	echo "$((${after% *} - ${before% *})) $((${after#* } - ${before#* }))"
}

# a_wake_up NAME CYCLES WAKE-UPS
a_wake_up() {
	row "instructions a wake-up" "$1" "$(calc "$2 / $3 / $CYCLES")" instructions
}

start_bench
taskset -p 1 $$ >/dev/null
insmod "$(ko irqoff_cpuidle)" on=1
taskset -c 1 "$selftests/bin/sleeper" 300 1000 3000 &
# Some kernels have work of their own for that long. The module does not cause the difference between the
# first and the last row.
sleep 15
nothing=$(wake_ups)
ours=$(wake_ups cpus=0-1 enable=1)
again=$(wake_ups)
kill $!
a_wake_up "without" "${nothing% *}" "${nothing#* }"
a_wake_up "with ours" "${ours% *}" "${ours#* }"
a_wake_up "without again" "${again% *}" "${again#* }"
