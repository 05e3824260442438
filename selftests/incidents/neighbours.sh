# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# A link with 50,000 permanent neighbours goes down. neigh_ifdown() deletes all of them in one loop,
# under the table's lock with softirqs disabled.
# Source: neigh_flush_dev() of net/core/neighbour.c; the patches of 2024-11 that give each device a
# list of its neighbours (50,000 ARP entries; 6.13). All kernels: here, all neighbours belong to one
# device, so its list is as long as the table.
#
# releases: 11 12 13 backports
# vm: --icount --smp 4 --mem 4096

setup() {
	ip link add dummy0 type dummy && ip link set dummy0 up || return
	awk 'BEGIN {
		for (i = 0; i < 50000; i++)
			printf "neigh add 10.8.%d.%d lladdr 02:00:00:00:%02x:%02x dev dummy0 nud permanent\n",
				int(i / 256), i % 256, int(i / 256), i % 256
	}' >"${out:?}/neighbours"
	ip -batch "$out/neighbours"
}

incident() {
	ip link set dummy0 down
}

truth() {
	first_line "neigh_flush_dev|neigh_ifdown|__neigh_ifdown|neigh_cleanup_and_release|neigh_del_timer" \
		"task ip" softirqs
	innocent
	rows_at_most 2
}
