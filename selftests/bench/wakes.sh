#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount --smp 2 --append isolcpus=1
#
# What it costs a task that sleeps often: instructions from the timer interrupt that wakes its CPU
# to when that CPU is idle again. irqoff_cpuidle counts them, in cycles. The task sleeps 0.3, 1 and 3 ms
# in turn, on CPU 1, which is isolated.
. "$(dirname "$0")/common.sh"

SECONDS_EACH=20
CYCLES=8 # of an instruction, with more than one CPU (vm --icount)

# awake [PARAMETER...]: "CYCLES WAKE-UPS" of CPU 1 in SECONDS_EACH, with the module if there are any
awake() {
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
# Some kernels are busy with themselves for that long. What differs between the first and the last row
# is not ours.
sleep 15
nothing=$(awake)
ours=$(awake cpus=0-1 enable=1)
again=$(awake)
kill $!
a_wake_up "without" "${nothing% *}" "${nothing#* }"
a_wake_up "with ours" "${ours% *}" "${ours#* }"
a_wake_up "without again" "${again% *}" "${again#* }"
