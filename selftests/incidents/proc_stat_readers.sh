# SPDX-License-Identifier: GPL-2.0
#
# Three tasks read /proc/PID/stat of a process with 20,000 threads, in which threads exit all the
# time. do_task_stat() and thread_group_cputime() walk all threads under stats_lock with interrupts
# off.
# Source: upstream 7601df8031fd, f7ec1cd5cc7e; CVE-2024-26686. Kernels before 6.8, and later kernels
# if threads exit meanwhile.
# Innocent: release_task and other functions that wait for the lock.

setup() {
	start crowd threads 20000 churn
}

incident() {
	repeat 3 0 background sh -c 'while read -r line <"/proc/$1/stat"; do :; done' sh "${started:?}"
	sleep 10
	stop_background
}

truth() {
	first_line "do_task_stat|thread_group_cputime|thread_group_cputime_adjusted|task_cputime|task_gtime" \
		"task sh" interrupts
	innocent release_task __exit_signal wait_task_zombie copy_process do_exit
	rows_at_most 3
}
