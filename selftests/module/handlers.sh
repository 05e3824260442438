#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# Which handler ran: the vector of a softirq and its function, the handler of an interrupt, as the
# stacks show them. And what interrupts and softirqs came while softirqs were held up, as the
# kernel counts them.
. "$(dirname "$0")/../lib.sh"
start_test
need_cpus 2
stay_on_cpu0
plan 14

# made FUNCTION: the records of its windows
made() {
	records cpu=1 | grep "[;=]$1\["
}

# once KIND FUNCTION: one window of it, all others forgotten
once() {
	put 0 trace_latency
	inject "$1" "$3" 1
	await made "$2" >/dev/null
}

has() {
	made "$1" | grep " $2 "
}

# says_nothing FUNCTION KEY: none of its records has it
says_nothing() {
	[ -n "$(made "$1")" ] && ! made "$1" | grep " $2="
}

# looks_say TEXT: so many looks of trace_latency end with that
looks_say() {
	grep -c "STATE: serving .*TGID: [0-9]*$1\$" $P/trace_latency
}

trace 10ms 50ms
await runs_on "$(cat /sys/devices/system/cpu/online)"

once softirq inject_softirq 230000
expect "a timer's handler: the vector" has inject_softirq vector=TIMER
expect "and the function" has inject_softirq 'handler=inject_softirq\[irqoff_inject\]'
expect "in the report as well, with each look" test \
	"$(looks_say ' VECTOR: TIMER HANDLER: inject_softirq\[irqoff_inject\]')" -ge 2
expect "no other handler ran meanwhile" has inject_softirq softirqs=-

# On PREEMPT_RT they run in threads of their own, and the window ends in between.
once softirqs inject_softirq 150000
if rt; then
	for words in "the handlers of two vectors: the later looks show the second one" \
		"which the kernel had counted"; do
		skip "$words" "on PREEMPT_RT tasklets and timers have threads of their own"
	done
else
	expect "the handlers of two vectors: the later looks show the second one" test \
		"$(looks_say ' VECTOR: \(HI,\)\{0,1\}TASKLET HANDLER: inject_slow_tasklet\[irqoff_inject\]')" -ge 1
	expect "which the kernel had counted" has inject_softirq 'softirqs=[^ ]*TASKLET:[1-9][^ ]*'
fi

once bh inject_bh 120000
expect "where softirqs are disabled no handler is named" says_nothing inject_bh handler
expect "and none ran" has inject_bh softirqs=-
once spinlock inject_spinlock 120000
expect "where a task has interrupts off neither" says_nothing inject_spinlock handler
expect "and what came is not counted, as nothing can" says_nothing inject_spinlock irqs

put 0 trace_latency
inject handler 120000 1
await recorded kind=hardirq cpu=1
expect_look "an interrupt's handler: the function" recorded kind=hardirq \
	'handler=inject_handler[irqoff_inject]'
expect_look "an interrupt's handler: in the report as well" grep -q \
	' TGID: [0-9]* HANDLER: inject_handler\[irqoff_inject\]$' $P/trace_latency
expect "and no vector" test -z "$(records kind=hardirq | field vector)"

# interrupts_on_cpu1: those of the console go there
interrupts_on_cpu1() {
	irq=$(sed -n 's/^ *\([0-9]*\):.*\(ttyS0\|uart-pl011\)$/\1/p' /proc/interrupts | head -n 1)
	[ -n "$irq" ] && echo 2 >"/proc/irq/$irq/smp_affinity"
}

put 0 trace_latency
if interrupts_on_cpu1; then
	inject bh 400000 1 &
	pid=$!
	sleep 0.05
	for line in 1 2 3 4 5; do
		note "an interrupt or more for line $line" >/dev/console
	done
	wait $pid
	await made inject_bh >/dev/null
	expect "interrupts that came meanwhile are counted" has inject_bh 'irqs=[1-9][0-9]*'
	echo 3 >"/proc/irq/$irq/smp_affinity"
else
	skip "interrupts that came meanwhile are counted" "no interrupt of a console that can be moved"
fi
finish
