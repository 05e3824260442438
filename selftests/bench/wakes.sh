#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --icount --smp 2 --append isolcpus=1
#
# The cost for a task that sleeps often: the instructions from the timer interrupt that wakes its
# CPU until that CPU is idle again. irqoff_cpuidle counts them, in cycles. The task sleeps for 0.3,
# 1 and 3 ms in turn, on CPU 1, which is isolated.
. "$(dirname "$0")/common.sh"

SECONDS_EACH=20
CYCLES=8 # of an instruction, with more than one CPU (vm --icount)

# wake_ups NAME: print the row of CPU 1
wake_ups() {
	sleep 3
	counts=/sys/module/irqoff_cpuidle/parameters/awake
	before=$(sed -n 2p $counts)
	sleep $SECONDS_EACH
	after=$(sed -n 2p $counts)
	cycles=$((${after% *} - ${before% *}))
	wakes=$((${after#* } - ${before#* }))
	row "cost of a wake-up" "$1" "$(calc "$cycles / $wakes / $CYCLES")" instructions
}

start_bench
taskset -p 1 $$ >/dev/null
insmod "$(ko irqoff_cpuidle)" on=1
background 1 "$selftests/bin/sleeper" 300 1000 3000
# Some kernels have work of their own for 15 s after boot. The module does not cause the difference
# between the rows "without" and "without again".
sleep 15
wake_ups without
load cpus=0-1 enable=1
wake_ups with
unload
wake_ups "without again"
