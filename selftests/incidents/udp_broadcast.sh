#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# One UDP packet is delivered to 10,000 sockets on one port. __udp4_lib_mcast_deliver() clones the
# packet for each socket, in the NET_RX softirq.
# Source: 1240d1373cd7 ("udp: Optimise multicast reception"); Red Hat's performance tuning guide,
# section on multicast. All kernels.
#
# releases: 11 12 13 backports
# vm: --icount --smp 2 --mem 2048
# packages:
# limit: 600
set -u

. "$(dirname "$0")/lib.sh"

setup() {
	start crowd broadcast 10000 5004
}

incident() {
	repeat 3 1 trigger
}

truth() {
	first_line "__udp4_lib_mcast_deliver|__udp4_lib_rcv|udp_queue_rcv_skb|udp_queue_rcv_one_skb|udp_rcv" \
		"softirq handler|task crowd" softirqs
	innocent skb_clone __kmalloc_node_track_caller kmem_cache_alloc sock_def_readable
	rows_at_most 2
}

play
