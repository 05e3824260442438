#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# memory.stat of a cgroup with 5,000 children is read while they change. One system call sums up all
# of them and does not schedule, so ksoftirqd waits; and each CPU's part of the flush has interrupts
# off.
# Source: case 2 of the design (cadvisor), google/cadvisor#1774. Kernels before 6.5.
#
# releases: 11 12
# vm: --icount --smp 4 --mem 4096
# packages:
# limit: 1200
set -u

. "$(dirname "$0")/lib.sh"

setup() {
	cd /sys/fs/cgroup && echo +memory >cgroup.subtree_control && mkdir many &&
		echo +memory >many/cgroup.subtree_control || return
	awk 'BEGIN { for (i = 1; i <= 5000; i++) print "many/g" i }' | xargs mkdir || return
	cd /
}

# Each group has something to be summed up.
before() {
	for group in /sys/fs/cgroup/many/g*; do
		# shellcheck disable=SC2016 # the other shell expands it
		sh -c 'echo $$ >"$1/cgroup.procs"' sh "$group"
	done
}

incident() {
	repeat 3 1 cat /sys/fs/cgroup/many/memory.stat
}

truth() {
	first_line "cgroup_rstat_flush_locked|mem_cgroup_css_rstat_flush|memory_stat_format|memcg_stat_show|memory_stat_show|cgroup_rstat_flush|cgroup_rstat_flush_irqsafe|mem_cgroup_flush_stats|__mem_cgroup_flush_stats" \
		"task (cat|kworker.*)" "interrupts"
	innocent _raw_spin_lock_irqsave cgroup_rstat_updated
	rows_at_most 3
}

play
