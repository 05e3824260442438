#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# kernels: oldest 6.12-rt newest
# long: smp4 COUNT=10
# host: interrupts are off for so long that a watchdog takes the host for dead
# A CPU had its interrupts off, or its softirqs, before tracing began: it is an open window from
# then on, with looks, and a record whose beginning nobody has seen. COUNT of them (default 2, on debug 1).
. "$(dirname "$0")/../lib.sh"
start_test
need_cpus 2
stay_on_cpu0
plan 24

COUNT=${COUNT:-$(fewer 2 1)}
ALL=$(cat /sys/devices/system/cpu/online)

# stuck KIND MS: CPU 1 is, for a second by now; $injector did it
stuck() {
	inject "$1" "${2}000" 1 &
	injector=$!
	await is_there
	sleep 1
}

# The writer moves to the CPU, and the next thing is the window.
is_there() {
	grep -q "^Cpus_allowed_list:	1\$" "/proc/$injector/status"
}

active_has() {
	grep -qE "$1" "$P/active"
}

# The records of CPU 1 whose beginning was not seen.
unseen() {
	records "kind=$1" cpu=1 begin=unseen
}

# From when tracing began, at $enabled hundredths of a second, until the window ended: but for
# two periods and for what a busy host takes in between.
latency_holds() {
	holds_end=$(sed -n 's/^cpu=1 .* end_ns=\([0-9]*\) .*/\1/p' "$INJECT")
	holds_ns=$(unseen hardirq | field latency_ns)
	between $((holds_end - enabled * 10000000 - 50000000)) "$holds_ns" \
		"$(injected_ns 1)" &&
		same "$holds_ns" "$(unseen hardirq | field max_ns)"
}

# Not for longer than they were off after that; what a busy host takes is taken off.
softirqs_of_both() {
	between 1500000000 "$(unseen softirq | field latency_ns)" 3300000000
}

report_says() {
	grep -qE "^     COMMAND: .* PID: $injector LATENCY: [0-9]+\\+ms BEGIN: unseen TIME: " \
		"$P/trace_latency"
}

# Each has the looks that were due: all four of a window of seconds, inside of what took the time.
looked_into() {
	same 4 "$(unseen hardirq | looks | grep -c inject_split_spend)"
}

expect "no CPU is late before it is turned on" same none "$(value cpus_late status)"
stuck split 6000
expect "turning on does not wait for that CPU" within 3 put 1 enable
expect "active shows it at once" await active_has '^ cpu: 1$'
expect_look "with task and state, and that its beginning was not seen" await active_has \
	"COMMAND: [^ ]+ PID: $injector LATENCY: [0-9]+\\+ms BEGIN: unseen STATE: irq-off"
expect_look "and where it is" await active_has '^     inject_split_spend\+'
expect "status counts it among those that have not begun" \
	same 1 "$(value cpus_late status)"
expect "and not among those that run" same "0,2-$(last_cpu)" "$(value cpus_running status)"
expect "turning off does not wait for it either" within 3 put 0 enable
expect "then nothing is open" same "" "$(cat $P/active)"
expect "nor is on again" within 3 put 1 enable
expect_look "and it is looked into again" await active_has '^     inject_split_spend\+'
wait
expect "it is monitored when it has interrupts on" await runs_on "$ALL"
expect "and is late no more" same none "$(value cpus_late status)"
expect "then idle CPUs are left alone" await scheduler_ticks
expect "the window is recorded once" same 1 "$(unseen hardirq | grep -c .)"
expect "the report says that its beginning was not seen" report_says

i=0
failed=
without=
while [ $i -lt "$COUNT" ]; do
	i=$((i + 1))
	put 0 enable
	put 0 trace_latency
	stuck split 5000
	put 1 enable
	enabled=$(now)
	wait
	await runs_on "$ALL" && latency_holds || failed="$failed round $i: $(unseen hardirq)"
	looked_into || without="$without round $i: $(unseen hardirq)"
done
expect "each of $COUNT is as long as it was seen" same "" "$failed"
expect_look "and has the four looks" same "" "$without"

# One that ends before the threshold was not long enough, whenever it began.
put 0 enable
put 0 trace_latency
put 3s trace_latency
stuck split 1500
put 1 enable
wait
await runs_on "$ALL"
expect "what is left of it is shorter than the threshold: no record" \
	same 0 "$(unseen hardirq | grep -c .)"

put 0 enable
put 50ms trace_latency
stuck bh 5000
put 1 enable
wait
expect "softirqs that were off before: their beginning was not seen either" \
	await recorded kind=softirq cpu=1 begin=unseen
expect "it has looks" sh -c "grep 'begin=unseen' $P/records | grep -q ' sample=[^ ]*inject_bh'"

put 0 enable
put 0 trace_latency
stuck nested 3000
sleep 3
put 1 enable
wait
expect "both at once: interrupts were off before" \
	await recorded kind=hardirq cpu=1 begin=unseen
expect "and softirqs are from when interrupts came back on" await softirqs_of_both

put 0 trace_latency
inject split 300000 1
expect "the beginning of the next window is seen" sh -c \
	"grep inject_split_enable $P/records | grep -qv begin="
finish
