#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# cat /proc/slabinfo while a cache has 200,000 partial slabs. count_partial() walks them under
# list_lock with interrupts off. It is inlined into get_slabinfo().
# Source: linux-kernel 2021-03; upstream 046f4c69090c, which counts 10,000 slabs at most (6.9 and
# stable).
#
# releases: 11 12
# vm: --icount --smp 2 --mem 4096
# packages:
# limit: 900
set -u

. "$(dirname "$0")/lib.sh"

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

play
