#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock
# kernels: newest
# host: the test replaces the idle states of the host
# Idle CPUs sleep, at any sampling period. The idle governor chooses an idle state by the next
# timer. If a timer is due soon, the governor may keep the scheduler's tick on: a timer of the
# module must not cause that. A VM has no idle states, so irqoff_cpuidle adds three.
. "$(dirname "$0")/../module.sh"
start_test
insmod "$(ko irqoff_cpuidle)"
STATES=/sys/module/irqoff_cpuidle/parameters
trap 'echo 0 >$STATES/on; rmmod irqoff_cpuidle; unload_all' EXIT

# Maximum of timer interrupts a second. A CPU with its tick on takes 100 to 1,000; a watcher, 20.
MOST=60

# all_sleep SECONDS: no CPU takes more than MOST timer interrupts a second
all_sleep() {
	all_before=$(timer_interrupts)
	sleep "$1"
	echo "$all_before $(timer_interrupts)" | awk -v most="$MOST" -v seconds="$1" '{
		for (i = 1; i <= NF / 2; i++) {
			rate = ($(i + NF / 2) - $i) / seconds
			printf "%sCPU %d: %d timer interrupts a second", separator, i - 1, rate
			separator = ", "
			bad += rate > most
		}
		print ""
		exit bad || !NF
	}'
}

# sleeps MWAIT PERIOD SECONDS: while tracing, all CPUs sleep, and windows are recorded
sleeps() {
	echo "$1" >$STATES/mwait
	trace "$2" 50ms
	await grep -q "^tick_source: scheduler$" $P/status
	sleep 1
	expect "mwait=$1, $2: all CPUs sleep" all_sleep "$3"
	note "$expect_output"
	expect "mwait=$1, $2: the next window is recorded" is_recorded hardirq 90000 "$CPU"
	put 0 trace_latency
	inject idle_ipi 300000 "$CPU"
	# The IPI may hit the CPU in a short softirq: then the window is one of softirqs.
	expect "mwait=$1, $2: an IPI handler that takes long is recorded" \
		await eval 'records "cpu=$CPU" | grep -q " sample=[^ ]*inject_ipi"'
}

echo 1 >$STATES/on
# For some seconds after boot, the kernel keeps the tick on.
expect "without tracing, all CPUs sleep" await all_sleep 2
note "$expect_output"
sleeps 0 10ms 5
sleeps 0 2ms 5
sleeps 0 1ms 5
# An emulator cannot wake a CPU with interrupts off: all CPUs poll, which slows the host down.
sleeps 1 2ms 3
finish
