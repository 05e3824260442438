#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# kernels: oldest 6.1 newest-rt newest
# Interrupts in a softirq window. They are off for a part of the time, which counts in the softirq window
# if it has no record. (unit/unit tests a part with a record.) Or many interrupts come.
. "$(dirname "$0")/../module.sh"
start_test
put 0 nosched

APART_NS=14000000	# the bounds of a window are at most a period and a tick apart

# one_window KIND TRUE_NS: one record of KIND of about this length, and none of the other kind
one_window() {
	await recorded
	same 1 "$(count)" && between $(($2 - APART_NS)) "$(records "kind=$1" | field latency_ns)" $(($2 + 1000000))
}

trace 10ms 50ms
# Softirqs are disabled for 73.5 ms, 24.5 ms of these with interrupts off: less than the threshold.
made nested 24500
expect "a short time with interrupts off is part of the softirq window" one_window softirq 73500000

# Interrupts are off for 7 ms at a time, with 30 us between: a driver prints to a serial console.
made toggle_softirq 1000000
expect "a softirq with interrupts off in it: one window of a second" \
	one_window softirq "$(injected_ns "$CPU")"

# The record has as many interrupts as /proc/interrupts counted in that time. If there were
# thousands, the report says that it is a storm, and names the interrupt.
put 1 nosched
trace 1ms 100ms

# taken: the number of interrupts that the CPU has taken since boot
taken() {
	awk '$1 ~ /^[0-9]+:$/ { sum += $2 } END { print sum }' /proc/interrupts
}

begin=$(taken)
inject storm 300000 "$CPU"
irqs=$(($(taken) - begin))
expect "a storm while softirqs are off is recorded" await recorded kind=softirq
# On PREEMPT_RT, the window ends in a thread, after the storm: 16 more were seen once.
expect "the record has as many interrupts as /proc/interrupts: $irqs" \
	between $((irqs * 95 / 100)) "$(records | grep kind=softirq | field irqs)" $((irqs * 105 / 100 + 50))

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
