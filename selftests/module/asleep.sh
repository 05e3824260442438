#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock
# kernels: oldest newest
# host: its idle states are taken from it
# CPUs with idle states sleep, at any period: the governor that chooses how deep, and whether the
# scheduler's tick goes on, must see no timer of ours that would have it keep that tick on, which
# would bring the next one. A VM has no idle states, so irqoff_cpuidle gives it three.
. "$(dirname "$0")/../lib.sh"
start_test
insmod "$(ko irqoff_cpuidle)" || skip_all "irqoff_cpuidle.ko cannot be loaded"
STATES=/sys/module/irqoff_cpuidle/parameters
trap 'echo 0 >$STATES/on; rmmod irqoff_cpuidle; unload_all' EXIT
stay_on_cpu0
plan 13

# A tick that is kept on comes 100 to 1,000 times a second; asleep, a CPU wakes 1 to 20 times.
MOST=60

# The timer interrupts that each CPU has had, on one line.
interrupts() {
	sed -n 's/^ *LOC: *\([0-9 ]*\).*/\1/p' /proc/interrupts
}

# all_sleep SECONDS: no CPU wakes more than MOST times a second
all_sleep() {
	all_before=$(interrupts)
	sleep "$1"
	echo "$all_before $(interrupts)" | awk -v most="$MOST" -v seconds="$1" '{
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

# sleeps MWAIT PERIOD SECONDS
sleeps() {
	echo "$1" >$STATES/mwait
	trace "$2" 50ms
	await grep -q "^tick_source: scheduler$" $P/status
	sleep 1
	expect "mwait=$1, $2: all CPUs sleep" all_sleep "$3"
	note "$expect_output"
	put 0 trace_latency
	inject hardirq 90000 "$(last_cpu)"
	expect "mwait=$1, $2: and the next window is found" \
		await recorded kind=hardirq "cpu=$(last_cpu)"
	put 0 trace_latency
	inject idle_ipi 300000 "$(last_cpu)"
	expect "mwait=$1, $2: and an IPI handler that takes long" await ipi_recorded
}

ipi_recorded() {
	records kind=hardirq "cpu=$(last_cpu)" | grep -q " sample=[^ ]*inject_ipi"
}

echo 1 >$STATES/on
# For some seconds after it has booted, a kernel has the tick on all the time.
expect "without ours, all CPUs sleep" await all_sleep 2
note "$expect_output"
sleeps 0 10ms 5
sleeps 0 2ms 5
sleeps 0 1ms 5
# An emulator has no such mwait, and is busy meanwhile.
sleeps 1 2ms 3
finish
