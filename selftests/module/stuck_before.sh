#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp4
# kernels: oldest newest-rt newest
# long: smp4 COUNT=10
# host: interrupts are off for longer than a hardware watchdog may wait
# A CPU has interrupts off, or softirqs disabled, before tracing starts. From the start of tracing
# on, the window is open, and has samples. The record has "begin=unseen". COUNT windows (default 2,
# on debug 1).
. "$(dirname "$0")/../module.sh"
start_test
# Soon after modules were loaded, the CPU of this test may wait for all others, also for the stuck one.
sleep 1

COUNT=${COUNT:-$(fewer 2 1)}

# stuck KIND MS: the process $injector makes a window on CPU 1; returns a second after its begin
stuck() {
	inject "$1" "${2}000" 1 &
	injector=$!
	# The writer moves to CPU 1, where it makes the window next.
	await grep -q "^Cpus_allowed_list:	1\$" "/proc/$injector/status"
	sleep 1
}

# unseen KIND: the records of CPU 1 whose beginning was not seen
unseen() {
	records "kind=$1" cpu=1 begin=unseen
}

# latency_holds: the latency is the time from the start of tracing ($enabled, in hundredths of a
# second) to the end of the window. At most 50 ms less, for the first check and a busy host.
latency_holds() {
	holds_end=$(sed -n 's/^cpu=1 .* end_ns=\([0-9]*\) .*/\1/p' "$INJECT")
	holds_ns=$(unseen hardirq | field latency_ns)
	between $((holds_end - enabled * 10000000 - 50000000)) "$holds_ns" "$(injected_ns 1)" &&
		same "$holds_ns" "$(unseen hardirq | field max_ns)"
}

expect "while disabled, cpus_late is none" same none "$(value cpus_late status)"
stuck split 6000
expect "enabling does not wait for that CPU" within 3 put 1 enable
expect "active shows that CPU at once" await grep -q ' cpu=1 ' $P/active
expect_sample "active shows task, state and begin=unseen" await grep -q \
	" begin=unseen state=irq-off comm=[^ ]* pid=$injector " $P/active
expect_sample "active shows the function" await grep -q ';inject_split_spend\[' $P/active
expect "cpus_late has that CPU" same 1 "$(value cpus_late status)"
expect "cpus_running does not have that CPU" same "0,2-$CPU" "$(value cpus_running status)"
expect "disabling does not wait for that CPU" within 3 put 0 enable
expect "after disable, no window is open" reads active ""
expect "after disable, cpus_late is none" same none "$(value cpus_late status)"
expect "enabling again does not wait for that CPU" within 3 put 1 enable
expect_sample "after the second enable, there are samples again" \
	await grep -q ';inject_split_spend\[' $P/active
wait
expect "when its interrupts are on, that CPU is monitored" await runs_on
expect "when its interrupts are on, cpus_late is none" same none "$(value cpus_late status)"
expect "when its interrupts are on, all CPUs use the scheduler's tick" await scheduler_ticks
expect "the window is recorded once" same 1 "$(unseen hardirq | grep -c .)"
expect "the report has BEGIN: unseen" grep -qE \
	"^     COMMAND: .* PID: $injector LATENCY: [0-9]+\\+ms BEGIN: unseen .*TIME: " $P/trace_latency

failed=
without=
for i in $(seq "$COUNT"); do
	put 0 enable
	put 0 trace_latency
	stuck split 5000
	put 1 enable
	enabled=$(now)
	wait
	await runs_on && latency_holds || failed="$failed round $i: $(unseen hardirq)"
	[ "$(unseen hardirq | samples | grep -c inject_split_spend)" -ge 5 ] ||
		without="$without round $i: $(unseen hardirq)"
done
expect "each of $COUNT windows is recorded from the start of tracing to its end" same "" "$failed"
expect_sample "each of these windows has at least five samples of the function" same "" "$without"

put 0 enable
put 0 trace_latency
stuck bh 5000
put 1 enable
wait
expect "softirqs disabled before: the record has begin=unseen" \
	await recorded kind=softirq cpu=1 begin=unseen
expect "softirqs disabled before: the record has samples" \
	sh -c "grep 'begin=unseen' $P/records | grep -q ' sample=[^ ]*inject_bh'"

put 0 enable
put 0 trace_latency
stuck nested 3000
sleep 3
put 1 enable
wait
expect "both disabled before: the hardirq record has begin=unseen" \
	await recorded kind=hardirq cpu=1 begin=unseen
# The softirq window has the 3 s after that, or less on a busy host.
expect "both disabled before: the softirq window starts when interrupts are on" \
	await eval 'between 1500000000 "$(unseen softirq | field latency_ns)" 3300000000'

# A part of this window may be a softirq window (nosched.sh).
put 0 nosched
put 0 trace_latency
stuck preempt 3000
put 1 nosched
wait
await recorded cpu=1 begin=unseen
expect "if nosched was disabled before, the record has begin=unseen" \
	same "begin=unseen" "$(records cpu=1 | grep -v kind=hardirq | grep -oE 'begin=unseen|$' | sort -u)"

put 0 trace_latency
for injection in split bh preempt; do
	inject $injection 300000 1
done
expect "the beginning of the next window of each kind is seen" \
	await eval '[ "$(count cpu=1)" -ge 3 ] && ! recorded cpu=1 begin=unseen'
finish
