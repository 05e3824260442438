# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# A real-time task spins on the CPU that receives packets. Softirqs are left to ksoftirqd, which
# gets the 50 ms in each second that real-time tasks leave.
# Source: TencentOS-kernel#35, scx#1459. Kernels before 6.5, and all kernels with PREEMPT_RT.
# Later, the work of ksoftirqd itself may exceed the threshold, and have rows in the report.
#
# releases: 11 12
# vm: --icount --smp 2 --mem 1024

incident() {
	# CPU 1 receives the packets that CPU 0 sends to lo.
	echo 2 >/sys/class/net/lo/queues/rx-0/rps_cpus || return
	repeat 3 0 background taskset -c 0 ping -f -q -s 8000 127.0.0.1
	background taskset -c 1 chrt -f 50 sh -c 'while :; do :; done'
	sleep 4
	stop_background
}

truth() {
	first_line "[[]user[]]" "task sh" softirqs
	innocent csum_partial_copy_generic ip_rcv_core
	rows_at_most 4
}
