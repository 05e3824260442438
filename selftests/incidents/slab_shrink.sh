# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# A machine has 200,000 partial slabs, and its caches are shrunk through /sys/kernel/slab. The
# kernel sorts the list of partial slabs under list_lock with interrupts off.
# Source: linux-kernel 2021-03, about the lists of slabinfo.sh. All kernels.
#
# releases: 11 12 13 backports
# vm: --icount --smp 2 --mem 4096

setup() {
	sysctl -w kernel.msgmni=32000 kernel.msgmax=8192 &&
		start crowd slab 3200000 16
}

incident() {
	for cache in /sys/kernel/slab/*256*; do
		[ -e "$cache/shrink" ] || continue
		echo 1 >"$cache/shrink"
		sleep 0.5
	done
}

truth() {
	first_line "__kmem_cache_do_shrink|__kmem_cache_shrink|kmem_cache_shrink" "task sh" interrupts
	innocent get_partial_node
	rows_at_most 2
}
