# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# A conntrack table with 50,000 entries is resized three times. nf_conntrack_hash_resize() disables
# softirqs and holds all locks of the table while it hashes all entries again.
# Source: kubernetes#129982, #18604. All kernels.
# Innocent: the hash function. If all samples are in hash_conntrack_raw(), which nf_conntrack_hash_resize()
# calls for each entry, the report names this function.
#
# releases: 11 12 13 backports
# vm: --icount --smp 4 --mem 4096

setup() {
	modprobe nf_conntrack hashsize=262144 || return
	sysctl -w net.netfilter.nf_conntrack_max=1000000 \
		net.netfilter.nf_conntrack_udp_timeout=3600 || return
	# Conntrack sees packets only if a rule needs their state.
	iptables-legacy -A OUTPUT -m conntrack --ctstate INVALID -j DROP &&
		start crowd flows 50000
}

incident() {
	for buckets in 65536 262144 65536; do
		echo $buckets >/sys/module/nf_conntrack/parameters/hashsize || return
		sleep 2
	done
}

truth() {
	first_line "nf_conntrack_hash_resize|hash_conntrack_raw" "task sh" softirqs
	first_row windows "[3-9]"
	innocent siphash_4u64 __siphash_unaligned
	rows_at_most 2
}
