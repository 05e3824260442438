# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# 20,000 POSIX timers expire at once on a CPU that runs a task. hrtimer_interrupt() calls
# posix_timer_fn() for each timer, with interrupts off. The owner of the timers is not on the stack,
# and the interrupted task is innocent.
# Source: WSL#11274, fedora-coreos-tracker#1841 ("hrtimer: interrupt took"). All kernels.
#
# releases: 11 12 13 backports
# vm: --icount --smp 2 --mem 1024

incident() {
	spin 1
	start taskset -c 1 crowd timers 20000 10000 || return
	sleep 12
}

truth() {
	first_line "posix_timer_fn|send_sigqueue|posixtimer_send_sigqueue" \
		"interrupt handler, on top of task sh" interrupts
	innocent hrtimer_run_queues __hrtimer_run_queues complete_signal __send_signal
	rows_at_most 2
}
