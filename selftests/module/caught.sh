#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# only: stock debug hz
# long: smp COUNT=100
# Caught in the act: stacks from inside hardirq windows, and windows that are open.
# COUNT windows (default 30, on debug 10).
. "$(dirname "$0")/../lib.sh"
start_test

CPU=$(last_cpu)
need_cpus 2
need_nmi
stay_on_cpu0
plan 29

COUNT=${COUNT:-$(fewer 30 10)}

# Records of the windows that inject made; a busy host can add its own.
made_by() {
	records kind=hardirq "cpu=$CPU" | grep " stack=[^ ]*$1"
}

# caught IN OF: how many of the records made by OF have a look that shows IN
caught() {
	made_by "$2" | grep -c " sample=[^ ]*$1"
}

# While it holds the lock, inject_spinlock() is in inject_spinlock_inner(); when interrupts are on again,
# it is in a loop of its own. Samples of interrupt handlers that run before the late tick, ours among
# them, are right: interrupts are off, and the window is open until that tick.
no_sample_after_the_end() {
	! records | grep inject_spinlock | looks | grep -E 'inject_spinlock\[irqoff_inject\]$|nmi'
}

# Offsets into the window rise, and lie within it.
offsets_rise() {
	records kind=hardirq | awk '{
		last = -1
		for (i = 1; i <= NF; i++) {
			split($i, pair, /[=:]/)
			if (pair[1] == "latency_ns")
				latency = pair[2]
			if (pair[1] == "sample") {
				if (pair[2] + 0 <= last || pair[2] + 0 > latency + 0) {
					print
					bad = 1
				}
				last = pair[2] + 0
			}
		}
	} END { exit bad }'
}

trace 10ms 50ms
inject_times "$COUNT" spinlock 120000 "$CPU"
note "$(records kind=hardirq | looks | wc -l) looks into $(count) windows," \
	"$(value nmi_sent status) NMIs sent"
expect "$COUNT windows are recorded" \
	same "$COUNT" "$(made_by inject_spinlock | wc -l)"
expect "all but one, and one in 100, have a look that shows what took the time" \
	test "$(caught inject_spinlock_inner inject_spinlock)" \
	-ge $((COUNT - 1 - COUNT / 100))
expect "no sample is of a time with interrupts on, or has frames of the NMI" no_sample_after_the_end
expect "looks are in order and within the window" offsets_rise
expect "at most four looks a window" test -z \
	"$(records | grep 'sample=.*sample=.*sample=.*sample=.*sample=')"
expect "the report shows looks behind the end of the window" \
	grep -qE '^     AT: \+[0-9.]+ms$' "$P/trace_latency"

# A handler has returned when the tick gets its turn: only a look can show it. The CPU has
# work to do: what the interrupt that wakes an idle one takes may not be seen (idle.sh).
put 0 trace_latency
taskset -c "$CPU" sh -c 'while :; do :; done' &
sleep 0.1
inject handler 200000 "$CPU"
kill $!
wait $! 2>/dev/null
expect "a look shows a hardirq handler that runs long" sh -c \
	"grep 'kind=hardirq cpu=$CPU ' '$P/records' | grep -q ' sample=[^ ]*inject_handler'"

put 0 trace_latency
inject split 200000 "$CPU"
expect "the end shows where interrupts came back on" \
	test -n "$(made_by 'inject_split_enable')"
expect "and not where the time was spent" \
	test -z "$(made_by 'inject_split_spend')"
expect "the looks show where the time was spent" \
	test "$(caught inject_split_spend inject_split_enable)" -ge 1

put 0 enable
expect "NMIs that were sent were taken" \
	same "$(value nmi_sent status)" "$(value nmi_taken status)"
put 1 enable

# What is open right now. All of it is read by this CPU, which is another one.
quick() {
	quick_start=$(cut -d . -f 1 /proc/uptime)
	"$@" >/dev/null || return 1
	quick_end=$(cut -d . -f 1 /proc/uptime)
	between 0 $((quick_end - quick_start)) 1
}

active_has() {
	grep -qE "$1" "$P/active"
}

put 500 trace_latency
expect "no window is open when all is well" reads active ""
put 50 trace_latency
inject hardirq 4000000 "$CPU" &
injector=$!
expect "an open window is shown" await active_has "^ cpu: $CPU\$"
expect "with the task that keeps interrupts off" \
	active_has "COMMAND: [^ ]+ PID: $injector LATENCY: [0-9]+\+ms STATE: irq-off"
expect "and the function it is in" await active_has '^     inject_hardirq\+'
for file in active trace_latency records status; do
	expect "reading $file does not wait for that CPU" quick cat "$P/$file"
done
expect "clearing does not wait for that CPU" quick put 0 trace_latency
expect "turning off does not wait for that CPU" quick put 0 enable
expect "nor does turning on" quick put 1 enable
wait

put 50 trace_latency
inject bh 3000000 "$CPU" &
injector=$!
expect "an open softirq window is shown" await active_has \
	"COMMAND: [^ ]+ PID: $injector LATENCY: [0-9]+\+ms STATE: bh-off"
expect "with the function it is in" await active_has '^     inject_bh\+'
wait

# At a period of 1 s a tick is missed when it is late by 125 ms.
trace 1s 2s
sent=$(value nmi_sent status)
sleep 3
expect "no NMI is sent to a CPU whose ticks come" \
	same "$sent" "$(value nmi_sent status)"

# An NMI of others: the kernel asks all CPUs for a backtrace.
echo l >/proc/sysrq-trigger
expect "NMIs of others get through to them" await sh -c \
	"dmesg | grep -q 'NMI backtrace for cpu $CPU'"
expect "and are not taken for ours" same "$sent" "$(value nmi_taken status)"

unload
load nmi=0
expect "nmi=0 turns it off, and status says why" \
	same "off (parameter)" "$(value nmi status)"
trace 10ms 50ms
inject spinlock 120000 "$CPU"
expect "then windows are recorded without looks" sh -c \
	"grep 'inject_spinlock' '$P/records' | grep -qv ' sample='"
finish
