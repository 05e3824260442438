#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# only: stock arm64 hz
# Windows that look as if interrupts were off: softirqs of an idle CPU, a CPU that is paused, and a
# timer interrupt that comes late. No record names an innocent function. COUNT windows of each
# injection (default 4).
. "$(dirname "$0")/../module.sh"
start_test
need_cpus 2

COUNT=${COUNT:-4}

# max_us: the longest hardirq latency of $CPU, also of a window that has no record. Prints nothing if the
# histogram has no line of the softirq windows of $CPU, either.
max_us() {
	awk -v cpu="$CPU" '$1 == "cpu:" && $2 == cpu { max += $4 == "hardirq" ? $NF : 0 }
		END { print max }' "$P/histogram"
}

# softirqs_only: COUNT softirq windows are recorded. Before 6.0, a tick may divide one, and an interrupt
# without a tick hides one: see "Blind spots".
softirqs_only() {
	least=$COUNT most=$COUNT
	! hides_softirqs || least=1 most=$((2 * COUNT))
	between "$least" "$(count kind=softirq "cpu=$CPU")" "$most" &&
		same "" "$(records kind=hardirq "cpu=$CPU" | cut -c 1-300)"
}

# all_are STATE: COUNT hardirq windows are recorded, all with STATE
all_are() {
	same "$COUNT of $COUNT" \
		"$(count kind=hardirq "cpu=$CPU" "state=$1") of $(count kind=hardirq "cpu=$CPU")"
}

trace_all 10ms 50ms

# All CPUs are idle, so jiffies are old when the softirq ends, and RCU needs a tick: the kernel arms
# the tick of the idle CPU with an expiry in the past, at least 8 ms ago.
made idle_rcu 300000 "$COUNT"
expect_sample "a softirq on an idle CPU is one softirq window" softirqs_only
expect "the tick, armed with an expiry in the past, is not late" between 0 "$(max_us)" 4000

# Interrupts take 200 us of each ms on top of the softirq. The first NMI may arrive in one.
words="a softirq with many interrupts on top is one softirq window"
if hides_softirqs; then
	skip "$words" "before 6.0, the kernel counts softirqs as idle time after an interrupt in them"
else
	made idle_irqs 300000 "$COUNT"
	expect_sample "$words" softirqs_only
	expect_sample "samples in these interrupts have in=interrupt" same "" \
		"$(records | grep -o 'inject_on_irq[^ ]* in=[a-z]*' | grep -v interrupt)"
fi

if [ "$(uname -m)" = x86_64 ]; then
	# Before 6.0, an IPI in the softirqs of an idle CPU would hide the window: so there is none.
	for cpu_is in busy idle; do
		[ "$cpu_is" = idle ] || spin "$CPU"
		[ "$cpu_is" = busy ] || ! hides_softirqs || continue
		made off_softirq 300000 "$COUNT"
		expect "$cpu_is CPU: a softirq that keeps interrupts off is a hardirq window" all_are irq-off
		expect "$cpu_is CPU: its function is in the samples" same "$COUNT" \
			"$(records kind=hardirq cpu="$CPU" | grep -c ' sample=[^ ]*;inject_off_softirq[[]')"
		stop_background
	done
	paused=$(value windows_hardirq_paused status)
	made pause 200000 "$COUNT"
	expect "a paused CPU: the state is paused" all_are paused
	expect "a paused CPU: the length of the pause is measured" \
		same "" "$(records | field paused_ns | awk '$1 < 150000000')"
	made late_timer 200000 "$COUNT"
	expect "a late timer: the state is irq-on" all_are irq-on
	expect "a late timer: there are no samples of other code" same "" "$(records | samples)"
	expect "windows_hardirq_paused counts both" \
		same $((paused + 2 * COUNT)) "$(value windows_hardirq_paused status)"
	expect "windows_hardirq_paused_us has the lengths of both" test "$(value windows_hardirq_paused_us status)" \
		-ge $((2 * COUNT * 150000))
	put 0 trace_latency
	inject pause 1300000 "$CPU"
	expect "a pause is measured from the first NMI, which is repeated after a second" \
		await eval 'between 1150000000 "$(records state=paused | field paused_ns)" 1400000000'
	made split 200000 "$COUNT"
	expect "interrupts are off: the state is irq-off" all_are irq-off
	# QEMU runs the CPUs in turn, so an answer may take a little more than 1 ms.
	expect "interrupts are off: no pause over 10 ms is measured" \
		same "" "$(records | field paused_ns | awk '$1 > 10000000')"
fi

# Without NMIs, a window on an idle CPU has no samples.
unload
load enable=1 nmi=0
await scheduler_ticks
made idle_ipi 300000 "$COUNT"
# One handler may interrupt a task of the kernel.
expect "with nmi=0, long handlers on an idle CPU are recorded as unsampled" between $((COUNT - 1)) \
	"$(count kind=softirq state=unsampled "cpu=$CPU" "comm=swapper/$CPU")" "$COUNT"
finish
