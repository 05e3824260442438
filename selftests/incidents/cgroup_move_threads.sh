# SPDX-License-Identifier: GPL-2.0
#
# A process with 20,000 threads moves between two cgroups. cgroup_migrate_execute() moves all of
# them under css_set_lock with interrupts off. Threads that exit meanwhile wait for that lock.
# Source: upstream, on css_set_lock; systemd and container runtimes that move JVMs. All kernels.
# A second culprit is real: perf_cgroup_attach() sends other CPUs 20,000 IPIs and does not schedule
# meanwhile, so ksoftirqd waits (kernels before 6.5). Most often, this takes longer.

setup() {
	mkdir -p /sys/fs/cgroup/a /sys/fs/cgroup/b &&
		start crowd threads 20000 churn
}

incident() {
	for group in a b a b; do
		echo "${started:?}" >/sys/fs/cgroup/$group/cgroup.procs || return
		sleep 1
	done
}

truth() {
	first_line "cgroup_attach_task|cgroup_migrate_execute|css_set_move_task|cgroup_migrate_add_task|cgroup_migrate|perf_cgroup_attach" \
		"task sh" "interrupts|softirqs"
	innocent cgroup_release cgroup_exit cgroup_post_fork cgroup_can_fork
	# Each of the loops over all threads is a row.
	rows_at_most 8
}
