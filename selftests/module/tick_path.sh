#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: smp
# only: stock debug arm64
# kernels: oldest
# Ticks and NMIs do not allocate, print or take a lock. The kernel's function graph tracer logs each
# function that they call, while windows of all kinds are sampled and recorded.
#
# One lock is accepted: when softirqs are delayed, the tick starts the soft timer, and the kernel
# locks the timers of this CPU. So calls below hrtimer_start_range_ns() are ignored.
. "$(dirname "$0")/../lib.sh"
T=/sys/kernel/tracing
ROOTS="tick_timer_fn tick_sched_probe watch_timer_fn softirqs_timer_fn nmi_answer"

grep -qw function_graph $T/available_tracers 2>/dev/null ||
	skip_all "the kernel has no function graph tracer"
start_test
need_cpus 2

# The functions that the tracer logs (tracing all functions would take minutes); and patterns for
# functions that allocate, print or lock.
TRACED=":mod:trace_irqoff proc_reg_write devkmsg_write stack_trace_save hrtimer_start_range_ns
	k*alloc* __k*alloc* alloc_pages* __alloc_pages* *vmalloc* pcpu_alloc* __alloc_percpu*
	*printk* console_* mutex_*lock* __mutex_* _raw_*lock* rt_*lock* queued_*lock* down*"
ALLOCATES='^(__)?(k.*alloc|alloc_pages|vmalloc|pcpu_alloc|alloc_percpu)'
PRINTS='printk|^console_'
LOCKS='^(_raw_(spin|read|write)_(try)?lock|rt_.*_(try)?lock|(__)?mutex_(try)?lock|down|queued_)'

# log_calls_of FUNCTION...: from now on, log all functions of TRACED that these call
log_calls_of() {
	roots=$*
	echo nop >$T/current_tracer
	: >$T/set_graph_function
	for function; do
		echo "$function" >>$T/set_graph_function
	done
	echo function_graph >$T/current_tracer
	echo 1 >$T/tracing_on
}

set_filter() {
	# A pattern without a match ends a write.
	set -f
	for pattern in $TRACED; do
		echo "$pattern" >>$T/set_ftrace_filter
	done
	set +f
	echo 8192 >$T/buffer_size_kb
	echo 0 >$T/options/funcgraph-overhead
	# Ignore interrupts that come while a soft timer runs.
	echo 0 >$T/options/funcgraph-irqs
} 2>/dev/null

# read_log: write lines "COUNT FUNCTION CALLER" to /tmp/names, without calls below
# hrtimer_start_range_ns(). The tracer sometimes logs more after a function of $roots has returned:
# ignore calls outside of $roots.
read_log() {
	echo 0 >$T/tracing_on
	sed -n 's/^ *\([0-9]*\)) [^|]*|\( .*\)/\1 \2/p' $T/trace | awk -v roots="$roots" '
		BEGIN {
			for (i = split(roots, root, " "); i > 0; i--)
				is_root[root[i]] = 1
		}
		{
			cpu = $1
			line = $0
			sub(/^[0-9]* /, "", line)
			indent = match(line, /[^ ]/)
			name = line
			sub(/^ */, "", name)
			sub(/[ (;].*/, "", name)
		}
		name ~ /^}/ && cpu in open && indent <= open[cpu] {
			delete open[cpu]
			delete below[cpu]
			next
		}
		name in is_root && /\{/		{ open[cpu] = indent }
		!(cpu in open) && !(name in is_root)	{ next }
		cpu in below {
			if (indent <= below[cpu])
				delete below[cpu]
			next
		}
		name == "hrtimer_start_range_ns" && /\{/	{ below[cpu] = indent }
		name ~ /^[a-zA-Z_]/ {
			at[cpu, indent] = name
			calls[name " " at[cpu, indent - 2]]++
		}
		END {
			for (call in calls)
				print calls[call], call
		}' >/tmp/names
}

# count_of PATTERN: the number of calls of these functions
count_of() {
	awk -v pattern="$1" '$2 ~ pattern { n += $1 } END { print n + 0 }' /tmp/names
}

# none_of PATTERN: no function that matches PATTERN was called; prints those that were
none_of() {
	! awk -v pattern="$1" '$2 ~ pattern { print $1, $2, "by", $3; found = 1 } END { exit !found }' /tmp/names
}

trace 10ms 50ms
await runs_on "0-$CPU"
set_filter
# shellcheck disable=SC2086 # a list
log_calls_of $ROOTS
sleep 1
for kind in hardirq spinlock handler bh softirq ksoftirqd; do
	inject $kind 200000 "$CPU"
done
await recorded kind=softirq
read_log
note "$(for function in $ROOTS tick recorder_commit; do
	echo "$function: $(count_of "^$function\$"),"
done) $(count_of .) calls of $(wc -l </tmp/names) pairs of caller and function"

expect "ticks are in the log" test "$(count_of '^tick$')" -ge 50
expect "soft timers are in the log" test "$(count_of '^softirqs_timer_fn$')" -ge 1
expect "watchers are in the log" test "$(count_of '^watch_timer_fn$')" -ge 1
expect_sample "NMIs are in the log" test "$(count_of '^nmi_answer$')" -ge 1
expect "new records are in the log" test "$(count_of '^recorder_commit$')" -ge 4
expect "stacks of samples and records are in the log" test "$(count_of '^stack_walk$')" -ge 4
expect "ticks and NMIs allocate 0 times" none_of "$ALLOCATES"
expect "ticks and NMIs print 0 times" none_of "$PRINTS"
# A check uses trylock for the lock of a group, and so never waits: ignore.
sed -i -E '/ _raw_spin_(trylock|unlock) watch_[a-z_]*$/d' /tmp/names
# A soft timer enables interrupts just before it returns. The tracer sometimes logs an interrupt
# there as a call of the timer (seen once, on 7.2). A lock of the timer itself would come with each
# timer. So ignore locks of fewer than half of the timers, with a note.
locks=$(awk -v pattern="$LOCKS" '$2 ~ pattern && $3 == "softirqs_timer_fn" { n += $1 }
	END { print n + 0 }' /tmp/names)
if [ "$locks" -gt 0 ] && [ $((locks * 2)) -lt "$(count_of '^softirqs_timer_fn$')" ]; then
	note "$locks locks by interrupts that came at the end of a soft timer"
	sed -i -E "/ _raw_(spin|read|write)_(try)?lock[a-z_]* softirqs_timer_fn\$/d" /tmp/names
fi
expect "ticks and NMIs lock 0 times" none_of "$LOCKS"

# Prove that the log shows functions that allocate, lock or print.
log_calls_of proc_reg_write
put 0-1 cpus 2>/dev/null
put 0 trace_latency
read_log
expect "the log shows that a write to a file allocates" test "$(count_of "$ALLOCATES")" -ge 1
expect "the log shows that a write to a file takes a lock" test "$(count_of "$LOCKS")" -ge 1
log_calls_of devkmsg_write
echo "trace_irqoff: a line for tick_path.sh" >/dev/kmsg
read_log
expect "the log shows that a line for the kernel log is printed" test "$(count_of "$PRINTS")" -ge 1
echo nop >$T/current_tracer
: >$T/set_graph_function
: >$T/set_ftrace_filter
finish
