# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# iptables-restore loads 200,000 rules. The kernel checks and copies all of them in one system call.
# On a kernel without preemption, a task that waits for the CPU cannot run meanwhile.
# Source: kubernetes#110268 and other reports of slow kube-proxy updates with many rules.
#
# releases: 12
# vm: --icount --smp 2 --mem 4096

# An update replaces rules.
setup() {
	rules 200000 FORWARD >"${out:?}/rules"
	iptables-legacy-restore <"$out/rules"
}

incident() {
	spin 1
	taskset -c 1 iptables-legacy-restore <"$out/rules"
	stop_background
}

truth() {
	first_line "do_ipt_[gs]et_ctl" "task iptables" tasks
	innocent
	# khugepaged collapses the pages of the rules, and delays tasks, too.
	rows_at_most 4
}
