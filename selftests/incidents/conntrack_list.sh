# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# "conntrack -L" runs with a filter that matches no entry. ctnetlink_dump_table() disables softirqs
# and walks the buckets of the table until its message is full or the table ends. Here, one walk
# covers 262,144 empty buckets.
# Source: kubernetes#129982, #126130, #135323, #18604. All kernels.
#
# releases: 11 12 13 backports
# vm: --icount --smp 4 --mem 4096

setup() {
	modprobe nf_conntrack hashsize=262144 && modprobe nf_conntrack_netlink || return
	sysctl -w net.netfilter.nf_conntrack_max=1000000
}

incident() {
	repeat 5 1 conntrack -L --mark 0x4711
}

truth() {
	first_line ctnetlink_dump_table "task conntrack" softirqs
	innocent
	rows_at_most 2
}
