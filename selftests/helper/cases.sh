# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# A language for windows, and what the report makes of them. Sourced after lib.sh, with $tmp/program and $awk.

# new_case: start again without windows, on a machine with 4 CPUs
new_case() {
	seq=0
	: >"$tmp/records"
	printf 'cpus: 0-3\nnmi: on\nthreshold: 10ms\n' >"$tmp/status"
}

# stack TEXT: @ stands for the entry of a system call, ! for the interrupt of a timer
stack() {
	echo "$1" | sed 's/@/entry_SYSCALL_64_after_hwframe;do_syscall_64/g
		s/!/asm_sysvec_apic_timer_interrupt;sysvec_apic_timer_interrupt;hrtimer_interrupt;__hrtimer_run_queues/g
		s/%/secondary_startup_64_no_verify;start_secondary;cpu_startup_entry;do_idle;default_idle_call/g'
}

# window CPU END_MS LENGTH_MS KIND COMM PID END_STACK [OFFSET_MS CONTEXT COMM PID CGROUP STACK]...
window() {
	seq=$((seq + 1))
	state=irq-off
	[ "$4" = hardirq ] || state=ksoftirqd
	line="seq=$seq kind=$4 cpu=$1 end=1795234$((200000 + $2 / 1000 % 100)).$(printf %03d $(($2 % 1000)))000000"
	line="$line latency_ns=${3}000000 max_ns=${3}900000 steal_ns=0 state=$state comm=$5 pid=$6 tgid=$6 cgroup=1 pending=- stack=$(stack "$7")"
	shift 7
	while [ $# -gt 0 ]; do
		line="$line sample=${1}000000:$(stack "$6") in=$2,$state,$4,$4,$5,$3"
		shift 6
	done
	echo "$line" >>"$tmp/records"
}

# rows: "FUNCTION|COMM|CGROUP|WINDOWS|WAITERS|named" of each culprit
rows() {
	# shellcheck disable=SC2086 # words
	REPORT_VERSION=1 REPORT_HOST=vm REPORT_RELEASE=6.1 $awk -f "$tmp/program" -v mode=json \
		what=status "$tmp/status" what=records "$tmp/records" |
		jq -r '.culprits[] | "\(.function)|\(.comm)|\(.cgroup)|\(.windows)|\(.waiters)|\(.named)"'
}

# rows_are WORDS ROW...
rows_are() {
	words=$1
	shift
	expect "$awk: $words" same "$(printf '%s\n' "$@")" "$(rows)"
}

text() {
	# shellcheck disable=SC2086 # words
	REPORT_HOST=vm $awk -f "$tmp/program" -v mode=text -v newest=5 \
		what=status "$tmp/status" what=records "$tmp/records"
}

SLOWPATH="_raw_spin_lock_irq;native_queued_spin_lock_slowpath"
