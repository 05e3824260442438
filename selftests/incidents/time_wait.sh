#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# 20,000 connections of one CPU leave TIME_WAIT. The timer wheel rounds their 60 s up to
# multiples of two seconds: thousands of timers expire at once. tw_timer_handler() runs for each
# timer in the TIMER softirq.
# Source: 789f558cfb36 ("get rid of central timewait timer": latencies of 30 ms). This commit
# spreads the work over CPUs, but not over time. All kernels.
#
# releases: 12 13 backports
# vm: --icount --smp 2 --mem 2048
# packages:
# limit: 900
set -u

. "$(dirname "$0")/lib.sh"

setup() {
	sysctl -w net.ipv4.tcp_max_tw_buckets=200000
}

before() {
	start taskset -c 1 crowd timewait 20000 5005
}

# CPU 0 is busy: if all CPUs were idle, no watcher would check in time to sample CPU 1.
incident() {
	taskset -c 0 sh -c 'while :; do :; done' &
	busy=$!
	sleep 70
	stop "$busy"
}

after() {
	stop
}

truth() {
	first_line "tw_timer_handler|inet_twsk_kill|inet_twsk_put|inet_twsk_free|inet_twsk_bind_unhash" \
		"softirq handler" softirqs
	innocent call_timer_fn expire_timers __run_timers run_timer_softirq
	rows_at_most 2
}

play
