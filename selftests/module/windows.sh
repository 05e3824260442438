#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# machine: icount
# A window of each kind makes exactly one record, with the CPU, the length, the state and the
# function that made the window.
. "$(dirname "$0")/../module.sh"
start_test
put 0 nosched

LENGTH_US=190000

in_end_stack() {
	records | field stack | grep -qE "(^|;)$1(\[|;|\$)"
}

# in_samples FUNCTION [OTHER]: samples have FUNCTION, and all have FUNCTION or OTHER
in_samples() {
	records | samples | grep -E "(^|;)$1(\[|;|\$)" &&
		! records | samples | grep -vE "(^|;)($1${2:+|$2})(\[|;|\$)"
}

# no_own_frames: the innermost frame is the interrupted code, not the module or the timer interrupt
no_own_frames() {
	! grep -F '[trace_irqoff]' "$P/trace_latency" "$P/records" &&
		! { records | field stack; records | samples; } | sed 's/.*;//' |
		grep -E -e 'hrtimer|sysvec|apic_timer|_softirqs|_softirq$' \
		-e 'irq_exit|el1h?_|gic_|irq_stack|^run_(ksoftirqd|ktimerd|timersd)'
}

window() {
	kind=$1
	section=$2
	note "kind: $kind"
	put 0 trace_latency
	# Without NMIs, a handler that wakes an idle CPU is not always recorded: keep the CPU busy.
	while [ "$kind" = handler ]; do :; done &
	busy=$!
	inject "$kind" $LENGTH_US "$CPU" || note "injection failed"
	await recorded "kind=$section"
	kill $busy 2>/dev/null
	wait $busy
	expect "$kind: exactly one window is recorded" same 1 "$(count)"
	expect "$kind: the record is of a $section window on this CPU" \
		same 1 "$(count "kind=$section" "cpu=$CPU")"
	# bounds.sh compares both bounds with the true length. The window may begin with a tick
	# (10 ms at HZ=100), and on PREEMPT_RT or with lockdep, a softirq window lasts longer than
	# the handler.
	expect "$kind: the record has its length" \
		between 160000000 "$(records | field latency_ns)" 201000000
	expect "$kind: no frames of the module or of the timer interrupt" no_own_frames
}

state_is() {
	same "$1" "$(records | field state)"
}

task_is_us() {
	recorded "comm=$(cat /proc/$$/comm)" "pid=$$" "tgid=$$"
}

leave_cgroup() {
	echo $$ >"$above/cgroup.procs"
	rmdir "$above/irqoff"
	umount /tmp/cgroup
}

# samples_in CONTEXT: all samples have this context, state and (if given) task
samples_in() {
	records | tr ' ' '\n' | grep '^in=' | grep -vE "^in=$1," && return 1
	records | grep -q ' in='
}

# A new cgroup below the one of this shell.
mkdir -p /tmp/cgroup
mount -t cgroup2 cgroup /tmp/cgroup
above=/tmp/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)
mkdir "$above/irqoff"
echo $$ >"$above/irqoff/cgroup.procs"
cgroup=$(stat -c %i "$above/irqoff")
expect "the writer is in a cgroup of its own" grep -q "^0::.*/irqoff\$" /proc/$$/cgroup
trap 'leave_cgroup; unload_all' EXIT
trace 10ms 50ms

for kind in hardirq spinlock handler split; do
	window $kind hardirq
	expect "$kind: the state is irq-off" state_is irq-off
	# The handler interrupts any task, and has returned when the late tick runs.
	[ "$kind" != handler ] || continue
	function=inject_$kind
	[ "$kind" != split ] || function=inject_split_enable
	expect "$kind: $function is in the end stack" in_end_stack "$function"
	expect "$kind: the task is the writer" task_is_us
	expect "$kind: the cgroup is the writer's" same "$cgroup" "$(records | field cgroup)"
done

window bh softirq
expect "bh: the state is bh-off" state_is bh-off
expect "bh: inject_bh is in all samples" in_samples inject_bh
if rt; then
	skip "bh: inject_bh is in the end stack" \
		"PREEMPT_RT: the window ends in the thread that runs softirqs"
else
	expect "bh: inject_bh is in the end stack" in_end_stack inject_bh
fi
expect "bh: the task is the writer" task_is_us
# With lockdep, the softirqs that end the window may take longer than the time between two samples.
[ -e /proc/lockdep ] ||
	expect "bh: the task of all samples is the writer" samples_in "task,bh-off,$$,$$,$cgroup"

window softirq softirq
expect "softirq: the state is serving" state_is serving
# RCU's softirq may come before that of our timer, and what is pending after it is left to ksoftirqd.
[ -e /proc/lockdep ] || {
	expect "softirq: inject_softirq is in all samples" in_samples inject_softirq "rcu_core|smpboot_thread_fn"
	expect "softirq: all samples were taken in a softirq handler" samples_in "(softirq,serving|task,ksoftirqd)"
}

if starves; then
	window ksoftirqd softirq
	expect "ksoftirqd: the state is ksoftirqd" state_is ksoftirqd
	expect "ksoftirqd: inject_ksoftirqd is in all samples" in_samples inject_ksoftirqd
	expect "ksoftirqd: the task is the writer" task_is_us
else
	put 0 trace_latency
	inject ksoftirqd $LENGTH_US "$CPU"
	sleep 0.5
	expect "ksoftirqd: softirqs do not starve on this kernel: no window" \
		same 0 "$(count kind=softirq)"
	skip "ksoftirqd: state, samples and task" "softirqs do not starve on this kernel"
fi

put 0 trace_latency
inject hardirq 31000 "$CPU"
inject bh 31000 "$CPU"
sleep 0.5
expect "windows below the threshold leave no record" same 0 "$(count)"
expect "a hardirq window below the threshold is in distribute" \
	sh -c "grep -A 4 hardirq-off: $P/distribute | grep -qE '^ +20 .*: 1 '"
expect "a softirq window below the threshold is in distribute" \
	sh -c "grep -A 4 softirq-off: $P/distribute | grep -qE '^ +20 .*: 1 '"
expect "the windows below the threshold are in the histogram" \
	sh -c "grep -cE '^ +16384 -> 32767 +: 1 ' $P/histogram | grep -qx 2"
finish
