#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# memory.stat of a cgroup with 5,000 children is read when all of them have changed.
# mem_cgroup_flush_stats() sums up the children with interrupts off.
# Source: case 2 of the design (cadvisor). 6.1; later kernels turn interrupts on
# between two CPUs' parts.
#
# releases: 12
# vm: --icount --smp 4 --mem 4096
# packages:
# limit: 1200
set -u

. "$(dirname "$0")/lib.sh"

# Each group has a page of a file.
setup() {
	cd /sys/fs/cgroup && echo +memory >cgroup.subtree_control && mkdir many &&
		echo +memory >many/cgroup.subtree_control || return
	awk 'BEGIN { for (i = 1; i <= 5000; i++) print "many/g" i }' | xargs mkdir || return
	mkdir /root/many
	for group in many/g*; do
		# shellcheck disable=SC2016 # the other shell expands it
		sh -c 'echo $$ >"$1/cgroup.procs" && echo x >"/root/$1"' sh "$group" || return
	done
	cd /
}

# The page that becomes dirty counts for its group, whoever writes. The kernel sums up every two seconds.
change_and_read() {
	sync
	for file in /root/many/g*; do
		echo y 1<>"$file"
	done
	cat /sys/fs/cgroup/many/memory.stat
}

incident() {
	repeat 3 1 change_and_read
}

truth() {
	first_line "cgroup_rstat_flush_locked|mem_cgroup_css_rstat_flush|memory_stat_format|memcg_stat_show|memory_stat_show|cgroup_rstat_flush|cgroup_rstat_flush_irqsafe|mem_cgroup_flush_stats|__mem_cgroup_flush_stats" \
		"task (cat|kworker.*)" "interrupts"
	innocent _raw_spin_lock_irqsave cgroup_rstat_updated
	rows_at_most 3
}

play
