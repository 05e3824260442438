# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# 50,000 sockets are bound to one port of lo, and one more is bound to the same port of another
# device. inet_csk_get_port() compares the new socket with each of the others. Meanwhile it holds
# the bucket's lock, and softirqs are disabled.
# Source: Josef Bacik, "Rework inet_csk_get_port" (soft lockups of a load balancer). That series
# made the usual case fast, but sockets that differ in device and options are still compared with
# each other. All kernels.
#
# releases: 11 12 13 backports
# vm: --icount --smp 4 --mem 4096

setup() {
	ip link add dummy0 type dummy && ip link set dummy0 up &&
		start crowd bind 50000 5003 dummy0
}

incident() {
	repeat 3 1 trigger
}

truth() {
	first_line "inet_csk_get_port|inet_csk_bind_conflict|inet_bind_conflict|inet_rcv_saddr_equal|inet_bhash2_.*|inet_csk_update_fastreuse" \
		"task crowd" softirqs
	innocent
	rows_at_most 2
}
