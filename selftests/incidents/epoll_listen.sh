# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# 20,000 epoll instances wait for one listening socket, and a client connects. sock_def_readable()
# wakes all of them in the softirq of the handshake.
# Source: sock_def_readable() of net/core/sock.c, __wake_up_common_lock() of kernel/sched/wait.c.
# From 6.7 on, interrupts stay off while the kernel walks the whole wait queue. Before 6.7, a
# bookmark lets interrupts come back on after every 64 entries: only softirqs are delayed.
#
# releases: 11 12 13 backports
# vm: --icount --smp 2 --mem 2048

setup() {
	start crowd listen 20000 5002
}

incident() {
	repeat 3 1 trigger
}

truth() {
	kind=interrupts
	! kernel_before 6 7 || kind=softirqs
	first_line "sock_def_readable|__wake_up_common_lock|__wake_up_common|__wake_up_sync_key|ep_poll_callback" \
		"task crowd|softirq handler" $kind
	innocent
	rows_at_most 2
}
