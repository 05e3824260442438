#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# kernels: oldest newest newest-arm64 debug
# host: interrupts and tasks do not return to a CPU that was offline
# Several CPUs: a record has the CPU of its window; CPUs go offline and come back; only the CPUs in
# the file "cpus" are monitored.
. "$(dirname "$0")/../module.sh"
start_test

ONLINE=/sys/devices/system/cpu/cpu$CPU/online

expect "before enable, no CPU is monitored" runs_on none
trace 10ms 50ms
expect "after enable, all CPUs are monitored" await runs_on
expect "while all CPUs are monitored, blind has no CPUs" \
	same 0 "$(grep -c "^blind: .*; CPUs" $P/status)"

for cpu in 0 "$CPU"; do
	expect "a window on CPU $cpu is recorded with that CPU" is_recorded hardirq 120000 "$cpu"
done
expect "the report has one section for CPU $CPU" same 1 \
	"$(grep -c "^ cpu: $CPU\$" $P/trace_latency)"

echo 0 >"$ONLINE"
expect "a CPU that goes offline is not monitored" await runs_on 0
expect "CPU 0 alone has a timer of its own" await eval 'same 0 "$(value cpus_own_timer status)"'
expect "records of an offline CPU stay" recorded kind=hardirq "cpu=$CPU"
expect "a CPU that is alone has no watch timer" await eval '! grep watch_timer_fn /proc/timer_list'
echo 1 >"$ONLINE"
expect "a CPU that comes back is monitored again" await runs_on
expect "the CPU that was alone watches again, too" \
	await eval 'sed "/^cpu: $CPU\$/,\$d" /proc/timer_list | grep watch_timer_fn'
expect "windows of a CPU that came back are recorded" is_recorded hardirq 120000 "$CPU"

put 0 enable
expect "after disable, no CPU is monitored" runs_on none
echo 0 >"$ONLINE"
put 1 enable
expect "enabled while a CPU is offline, the others are monitored" await runs_on 0
echo 1 >"$ONLINE"
expect "a CPU that comes online later is monitored, too" await runs_on
put 0 enable
echo 0 >"$ONLINE"
echo 1 >"$ONLINE"
sleep 0.2
expect "a CPU that comes online after disable is not monitored" runs_on none

put "$CPU" cpus
put 1 enable
expect "only the CPUs in cpus are monitored" await runs_on "$CPU"
expect "with one monitored CPU, blind has samples and the other CPUs" \
	grep -qE "^blind: .*; samples with interrupts off; CPUs 0(-[0-9]+)?\$" $P/status
expect "a CPU that is monitored alone has no watch timer" \
	await eval '! grep watch_timer_fn /proc/timer_list'
expect "windows of a CPU in cpus are recorded" is_recorded hardirq 120000 "$CPU"
inject hardirq 120000 0
sleep 0.1
expect "windows of a CPU that is not in cpus are not recorded" same 0 "$(count cpu=0)"
finish
