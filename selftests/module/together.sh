#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# only: stock debug hz
# kernels: oldest newest
# long: smp4 COUNT=10
# Several CPUs have interrupts off at once. As long as one CPU takes interrupts, each of the others
# is sampled as if it were the only one. COUNT rounds of each kind (default 1).
#
# Samples are due when the first tick is missed, and at 400, 800 and 1600 ms. The windows last 2600
# ms, so that no sample is missing if a busy host stops the watcher for 400 ms. With 13 other VMs on
# two CPUs, a sample was missing sometimes. So three of four samples are enough.
. "$(dirname "$0")/../lib.sh"
start_test
need_cpus 4
need_nmi
stay_on_cpu0
plan 9

COUNT=${COUNT:-1}

# at_once CPU...: COUNT times, these CPUs have interrupts off for 2.6 s at the same time
at_once() {
	put 0 trace_latency
	round=0
	while [ $round -lt "$COUNT" ]; do
		pids=
		for cpu; do
			inject spinlock 2600000 "$cpu" &
			pids="$pids $!"
		done
		# shellcheck disable=SC2086 # a list
		wait $pids
		round=$((round + 1))
	done
}

made() {
	records kind=hardirq | grep ' stack=[^ ]*inject_spinlock'
}

each_has_samples() {
	! made | grep -v ' sample=.* sample=.* sample=' |
		tr ' ' '\n' | grep -E '^(seq|cpu|latency_ns|sample)=' | cut -c 1-30 | grep .
}

# shows_the_function: the number of samples with the function. If an interrupt delays the CPU before
# it takes the lock, the first sample shows that interrupt.
shows_the_function() {
	made | samples | grep -c ';inject_spinlock_inner'
}

# rounds WORDS CPU...
rounds() {
	words=$1
	shift
	at_once "$@"
	note "$words: $(made | wc -l) windows, $(made | samples | wc -l) samples"
	expect "$words: each window is recorded" same $((COUNT * $#)) "$(made | wc -l)"
	expect "$words: each window has at least three samples" each_has_samples
	expect "$words: on average, two samples per window show the function" \
		test "$(shows_the_function)" -ge $((COUNT * $# * 2))
}

trace 10ms 400ms
await runs_on "$(cat /sys/devices/system/cpu/online)"
# A busy task on CPU 0, so that CPU 0 ticks.
while :; do :; done &
busy=$!
rounds "two are stuck, one is busy" 1 2
rounds "three are stuck, one is busy" 1 2 3
kill $busy
rounds "two are stuck, the others are idle" 1 2
finish
