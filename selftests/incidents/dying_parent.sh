#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# A task with 20,000 children exits. exit_notify() gives each child another parent and sends the
# child its PR_SET_PDEATHSIG signal, under tasklist_lock with interrupts off. Tasks that fork and
# exit on the other CPUs wait for that lock with interrupts off.
# Source: forget_original_parent() of kernel/exit.c. All kernels.
# Innocent: copy_process, release_task and do_wait, which wait for tasklist_lock.
#
# releases: 11 12 13 backports
# vm: --icount --smp 4 --mem 4096
# packages: procps
# limit: 900
set -u

. "$(dirname "$0")/lib.sh"

before() {
	start crowd children 20000
}

incident() {
	forkers=
	for forker in 1 2; do
		sh -c 'while :; do cat /dev/null; done' &
		forkers="$forkers $!"
	done
	trigger
	sleep 3
	for forker in $forkers; do
		stop "$forker"
	done
}

after() {
	pkill -9 -x crowd
	sleep 30
}

truth() {
	first_line "exit_notify|forget_original_parent|reparent_leader|do_exit|group_send_sig_info|do_send_sig_info|send_signal|__send_signal|send_signal_locked|__send_signal_locked" \
		"task crowd" interrupts
	innocent copy_process release_task do_wait wait_consider_task
	no_task "sh|cat"
	rows_at_most 3
}

play
