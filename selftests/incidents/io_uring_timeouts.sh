#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# A task with 100,000 io_uring timeouts exits. io_kill_timeouts() cancels all of them under the
# ring's lock with interrupts off.
# Source: io_kill_timeouts() of io_uring/timeout.c (fs/io_uring.c up to 5.18). All kernels.
#
# releases: 11 12 13 backports
# vm: --icount --smp 2 --mem 2048
# packages:
# limit: 600
set -u

. "$(dirname "$0")/lib.sh"

before() {
	start crowd uring 100000
}

incident() {
	kill -9 "$started"
	sleep 5
}

truth() {
	first_line "io_kill_timeouts|io_kill_timeout|io_cancel_.*|hrtimer_try_to_cancel" \
		"task (crowd|kworker.*|iou.*)" interrupts
	innocent io_fill_cqe_req
	rows_at_most 3
}

play
