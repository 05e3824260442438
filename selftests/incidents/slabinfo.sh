# SPDX-License-Identifier: GPL-2.0
#
# /proc/slabinfo is read while a cache has 200,000 partial slabs. count_partial() walks them under
# list_lock with interrupts off. The compiler inlines count_partial() into get_slabinfo().
# Source: linux-kernel 2021-03. Upstream 046f4c69090c (6.10) counts at most 10,000 slabs.
#
# releases: 11 12
# vm: --icount --smp 2 --mem 4096

setup() {
	sysctl -w kernel.msgmni=32000 kernel.msgmax=8192 &&
		start crowd slab 4800000 16
}

incident() {
	repeat 5 1 cat /proc/slabinfo
}

truth() {
	first_line "get_slabinfo|count_partial|count_free" "task cat" interrupts
	innocent get_partial_node
	rows_at_most 2
}
