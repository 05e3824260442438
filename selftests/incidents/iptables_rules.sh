# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# A packet passes 100,000 rules. ipt_do_table() disables softirqs while it compares the packet with
# each rule. For an outgoing packet, ipt_do_table() runs in the task that sends the packet.
# Source: kubernetes#14870, #13500; aws-eks-best-practices#324. All kernels with legacy tables.
#
# releases: 11 12 13 backports
# vm: --icount --smp 4 --mem 4096

setup() {
	rules 100000 OUTPUT >"${out:?}/rules"
	iptables-legacy-restore <"$out/rules"
}

incident() {
	ping -c 10 -i 0.5 127.0.0.1
}

truth() {
	first_line ipt_do_table "task ping|several contexts" softirqs
	rows_at_most 3
}
