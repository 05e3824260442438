#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# iptables-restore loads 200,000 rules. The kernel checks and copies all of them in one system call,
# and on a kernel without preemption a task that waits for the CPU cannot run meanwhile.
# Source: kubernetes#110268 and other reports of slow kube-proxy updates with many rules.
#
# releases: 12
# vm: --icount --smp 2 --mem 4096
# packages: iptables
# limit: 900
set -u

. "$(dirname "$0")/lib.sh"

# As in an update, there are rules already.
setup() {
	awk 'BEGIN {
		print "*filter\n:INPUT ACCEPT [0:0]\n:FORWARD ACCEPT [0:0]\n:OUTPUT ACCEPT [0:0]"
		for (i = 1; i <= 200000; i++)
			printf "-A FORWARD -d 172.%d.%d.%d/32 -j DROP\n",
				16 + int(i / 65536), int(i / 256) % 256, i % 256
		print "COMMIT"
	}' >"$out/rules"
	iptables-legacy-restore <"$out/rules"
}

incident() {
	taskset -c 1 sh -c 'while :; do :; done' &
	waiting=$!
	taskset -c 1 iptables-legacy-restore <"$out/rules"
	stop $waiting
}

truth() {
	first_line "do_ipt_[gs]et_ctl" "task iptables" tasks
	innocent
	# khugepaged, which collapses the pages of so many rules, delays tasks, too.
	rows_at_most 4
}

play
