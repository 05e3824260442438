#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# only: stock arm64 hz
# long: icount COUNT=100
# Nosched windows: kernel code keeps the CPU although another task should run. COUNT windows of
# each injection (default 20) are recorded, with their function and within their bounds.
#
# A part of a window may be a softirq window. Up to 6.4, a softirq that is raised while another task
# should run wakes ksoftirqd, which cannot run. On PREEMPT_RT, softirqs run in threads. Time counts
# for one kind only, so the tests add up both kinds.
. "$(dirname "$0")/../module.sh"
start_test
COUNT=${COUNT:-20}
trace 1ms 4ms
bounds=$(($(bounds_us) * 1000))

# preempts: another task can preempt kernel code. Debian's kernels up to 6.12 start with
# "voluntary", the only mode of 5.10. Later kernels start with "lazy".
preempts() {
	uname -v | grep -qE ' PREEMPT(_RT)? ' || dmesg | grep -qE 'Dynamic Preempt: (full|lazy)'
}

# each_recorded INJECTION: COUNT windows are recorded. No task waits for the CPU, so a window ends
# only in the pause after it: a tick there finds that no other task should run.
each_recorded() {
	: >/tmp/states
	for _ in $(seq "$COUNT"); do
		put 0 trace_latency
		inject "$1" 30000 "$CPU"
		usleep 3000
		await has_function "inject_$1" || { records; return 1; }
		records | field state >>/tmp/states
	done
}

# has_function FUNCTION: there is a record, and all samples of all records are in FUNCTION. The last one of
# a softirq window may be of ksoftirqd, which has just got the CPU.
has_function() {
	records | awk -v frame=";$1[irqoff_inject]" '
		/kind=hardirq/ { next }
		{
			for (i = 1; i <= NF; i++)
				if ($i ~ /^sample=/ && $i !~ /;smpboot_thread_fn;schedule;/) {
					samples++
					others += !index($i, frame)
				}
		}
		END { exit !samples || others }'
}

# sum FIELD: the sum of FIELD in all nosched and softirq records
sum() {
	records | grep -v kind=hardirq | field "$1" | awk '{ sum += $1 } END { print sum + 0 }'
}

# within_bounds TRUE_NS: the lower bounds of all records add up to at most TRUE_NS, and the upper
# bounds to at least TRUE_NS. Each kind loses at most two ticks. A part of less than the threshold
# (4 ms) has no record. A softirq window on PREEMPT_RT lasts until ksoftirqd runs, and other threads of
# the kernel may run before it: 61 us were seen once, mostly it is 2 us.
part_ns=0
rt && switch_ns=500000 || switch_ns=50000
! rt && ! starves || part_ns=4000000
within_bounds() {
	between $(($1 - 4 * bounds - 4000000)) "$(sum latency_ns)" $(($1 + switch_ns)) &&
		between "$1" $(($(sum max_ns) + part_ns)) $((4 * $1))
}

# A kernel that can never preempt kernel code, such as Debian's 5.10, does not count preempt_disable().
if ! grep -q ' preempt_schedule$' /proc/kallsyms; then
	state=no-resched
else
	rt && state=ksoftirqd || state=preempt-off
fi
expect "preemption off: all of $COUNT are recorded" each_recorded preempt
expect "preemption off: the bounds are true" within_bounds "$(injected_ns "$CPU")"
expect "preemption off: the state says why no other task could run" grep -qxE "$state" /tmp/states
if preempts; then
	skip "code without cond_resched()" "this kernel preempts kernel code"
else
	expect "code without cond_resched(): all of $COUNT are recorded" each_recorded no_resched
	expect "code without cond_resched(): the bounds are true" within_bounds "$(injected_ns "$CPU")"
fi

# Softirqs off delay tasks, too.
made bh 30000
expect "a softirq window makes no nosched record" same 0 "$(count kind=nosched)"

# Another task waits for the CPU: the scheduler sets the flag, and not the test module.
put 0 trace_latency
spin "$CPU"
inject ksoftirqd 100000 "$CPU"
stop_background
expect "a window in which another task waits for the CPU is recorded" \
	await grep -qE 'kind=(nosched|softirq) .*inject_ksoftirqd' $P/records

# Two tasks on each CPU fork, make short system calls and wake each other.
trace 1ms 10ms
for cpu in $(seq 0 "$CPU") $(seq 0 "$CPU"); do
	taskset -c "$cpu" sh -c "for i in 1 2 3 4 5 6 7 8; do
			dd if=/dev/zero bs=1 count=3000 | cat >/dev/null
		done" 2>/dev/null &
done
wait
expect "a busy system that schedules has no nosched windows" same 0 "$(count kind=nosched)"

put 0 nosched
made preempt 30000
expect "while nosched is disabled, no nosched window is recorded" same 0 "$(count kind=nosched)"
expect "while nosched is disabled, blind has kernel code" \
	grep -q '^blind: .*; kernel code with interrupts and softirqs on' $P/status
put 1 nosched
expect "while nosched is enabled, blind does not have kernel code" \
	sh -c "! grep -q '^blind: .*kernel code' $P/status"
unload
load nosched=0
expect "nosched=0 disables nosched at load" reads nosched disabled
finish
