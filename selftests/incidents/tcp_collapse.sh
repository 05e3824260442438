# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# A receiver does not read, and small segments fill its buffer of 64 MB. When the buffer is full,
# tcp_collapse() copies the segments together in the receiver's softirq.
# Source: Cloudflare, "The story of one latency spike"; upstream c8628155ece3.
# Not on 7.3, where no window reaches 10 ms.
#
# releases: 11 12 13
# vm: --icount --smp 4 --mem 4096

setup() {
	ip netns add b &&
		ip link add v0 type veth peer name v1 netns b &&
		ip addr add 10.9.0.1/24 dev v0 && ip link set v0 up &&
		ip -n b addr add 10.9.0.2/24 dev v1 && ip -n b link set v1 up &&
		ethtool -K v0 sg off || return # so that no segments share a page; disables TSO and GSO, too
	start ip netns exec b crowd hoard 5001
}

incident() {
	start crowd drip 150000 10.9.0.2 5001 300 || return
	drip_left=600
	until grep -q '^sent' "${out:?}/started" || [ $((drip_left -= 1)) -lt 0 ]; do
		sleep 0.5
	done
}

truth() {
	first_line "tcp_collapse|tcp_collapse_one|tcp_collapse_ofo_queue|tcp_prune_queue" \
		"softirq handler|task crowd" softirqs
	innocent __kfree_skb skb_copy_bits security_file_ioctl
	rows_at_most 3
}
