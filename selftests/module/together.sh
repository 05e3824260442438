#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# only: stock debug hz
# kernels: oldest newest
# long: smp4 COUNT=10
# Several CPUs have interrupts off at once. As long as one CPU ticks, or could, each of them
# is looked into as if it were the only one. COUNT rounds of each kind (default 1).
#
# Looks are due at the first tick that is missed, at 400, 800 and 1600 ms, and the windows last
# for 2600. A host that is busy may stop the CPU that watches for 400 ms, and no look is missed.
# Beside 13 other VMs on two CPUs one was, now and then; so three of the four will do here.
. "$(dirname "$0")/../lib.sh"
start_test
need_cpus 4
need_nmi
stay_on_cpu0
plan 9

COUNT=${COUNT:-1}

# at_once CPU...: COUNT times each of these has interrupts off for 2.6 s, all at once
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

each_has_looks() {
	! made | grep -v ' sample=.* sample=.* sample=' | 
		tr ' ' '\n' | grep -E '^(seq|cpu|latency_ns|sample)=' | cut -c 1-30 | grep .
}

# The CPU may be called away on its way there: the first look may still be outside.
shows_the_function() {
	made | looks | grep -c ';inject_spinlock_inner'
}

# round WORDS CPU...
rounds() {
	words=$1
	shift
	at_once "$@"
	note "$words: $(made | wc -l) windows, $(made | looks | wc -l) looks"
	expect "$words: each window is recorded" same $((COUNT * $#)) "$(made | wc -l)"
	expect "$words: each has the looks that are due" each_has_looks
	expect "$words: all but one a window show the function, or more" \
		test "$(shows_the_function)" -ge $((COUNT * $# * 2))
}

trace 10ms 400ms
await runs_on "$(cat /sys/devices/system/cpu/online)"
# A task that runs on CPU 0 sees to it that it ticks.
while :; do :; done &
busy=$!
rounds "two are stuck, one is busy" 1 2
rounds "three are stuck, one is busy" 1 2 3
kill $busy
rounds "two are stuck, the others are idle" 1 2
finish
