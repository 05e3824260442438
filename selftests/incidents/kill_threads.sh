# SPDX-License-Identifier: GPL-2.0
#
# A process with 20,000 threads is killed. complete_signal() wakes all of them under siglock with
# interrupts off. On the other CPUs, these threads exit and one more starts: they spin on siglock. Then all
# exit, in do_exit(), before ksoftirqd runs.
# Source: linux-kernel, on complete_signal(); kill(2) of a large JVM. All kernels.
# Innocent: functions that wait for siglock (get_signal, copy_process, exit), and the woken threads
# that run before ksoftirqd does.

setup() {
	start crowd threads 20000 churn
}

incident() {
	kill -9 "${started:?}"
	sleep 20
}

truth() {
	# Without a sample, the record shows only where interrupts came back on.
	first_line "do_exit|complete_signal|__send_signal|__send_signal_locked|send_signal_locked|do_send_sig_info|group_send_sig_info" \
		"task sh|crowd" "interrupts|softirqs"
	innocent get_signal copy_process release_task __exit_signal mod_memcg_state sync_mm_rss \
		calculate_sigpending exit_mm
	rows_at_most 6
}
