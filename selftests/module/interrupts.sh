#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# machine: icount
# kernels: oldest newest-rt newest
# A record has the number of interrupts that the CPU took in a softirq or nosched window: as many as
# /proc/interrupts counted in that time. If there were thousands, the report says that it is a
# storm, and names the interrupt.
. "$(dirname "$0")/../lib.sh"
start_test
stay_on_cpu0
CPU=$(last_cpu)
trace 1ms 100ms

# taken: the number of interrupts that the CPU has taken since boot
taken() {
	awk -v column=$((CPU + 2)) '$1 ~ /^[0-9]+:$/ { sum += $column } END { print sum }' /proc/interrupts
}

begin=$(taken)
inject storm 300000 "$CPU"
irqs=$(($(taken) - begin))
expect "a storm while softirqs are off is recorded" await recorded kind=softirq
expect "the record has as many interrupts as /proc/interrupts: $irqs" \
	between $((irqs * 95 / 100)) "$(records | grep kind=softirq | field irqs)" "$irqs"

put 0 enable
/trace-irqoff run -p 1ms -t 100ms -d 5s >/tmp/report 2>&1 &
await reads enable enabled
inject storm 300000 "$CPU"
wait
# On arm64, the timer interrupt that causes each interrupt has a number, too.
name=irqoff_inject
[ "$(uname -m)" = x86_64 ] || name=arch_timer
report_names_storm() {
	cat /tmp/report
	tr -s '[:space:]' ' ' </tmp/report |
		grep -qE " [0-9,]+ interrupts in [0-9]+ ms: a storm, not one handler; most of them: [0-9]+: [^;]*$name "
}
expect "the report says that it is a storm, and names the interrupt" report_names_storm
finish
