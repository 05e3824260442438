#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock debug hz
# kernels: oldest newest
# A CPU that was stuck before is told to begin again and again, as the tracer is turned off and on,
# while NMIs look at it: no look goes on in a window that it did not begin with. The test
# module has each look last for milliseconds, so that they meet. (One that did once counted, in an
# NMI, up to a time that had passed, and the CPU was lost.)
. "$(dirname "$0")/../lib.sh"
start_test ride=0
need_cpus 2
need_nmi
stay_on_cpu0
plan 6

FAIL=/proc/irqoff_fail
ALL=$(cat /sys/devices/system/cpu/online)

# So many times, for two seconds at most: the window is to go on for longer than the threshold when
# it was turned on last. In between for as long as a few lines of a shell take, each time for a few more.
again_and_again() {
	i=0
	until=$(($(now) + 200))
	while [ $i -lt 20 ] && [ "$(now)" -lt $until ]; do
		i=$((i + 1))
		put 0 enable
		put 1 enable
		j=0
		while [ $j -lt $((i % 20)) ]; do
			j=$((j + 1))
			reads enable enabled
		done
	done
}

# slow_looks: how many there were
slow_looks() {
	sed -n 's/.* calls=\([0-9]*\) .*/\1/p' $FAIL
}

all_answered() {
	same "$(value nmi_sent status)" "$(value nmi_taken status)"
}

put 500us sampling_period
put 10ms trace_latency
expect "looks can be made to last 5 ms" sh -c "printf 'window_look 5000 slow' >$FAIL"
inject hardirq 4000000 1 &
sleep 0.3
again_and_again
note "slow looks: $(slow_looks)"
expect "there were looks meanwhile" test "$(slow_looks)" -ge 3
wait
expect "each NMI was answered" await all_answered
echo off >$FAIL
expect "the CPU is monitored when its interrupts are on" await runs_on "$ALL"
expect "its window is recorded" await recorded kind=hardirq cpu=1 begin=unseen
put 0 trace_latency
inject hardirq 100000 1
expect "and so is the next one" await recorded kind=hardirq cpu=1
finish
