# SPDX-License-Identifier: GPL-2.0
#
# A cgroup with 20,000 empty children (60,000 from 6.12 on) has a CPU limit. To throttle or to
# unthrottle it, the kernel walks the whole tree with the runqueue's lock held and interrupts off.
# The throttled task does the first walk, and the timer that refills the quota does the second (up
# to 6.1 for all CPUs at once; later in an IPI handler on each CPU).
# Source: upstream 8ad075c2eb1f, 2e8e19226398; kubernetes#67577. All kernels.
# Innocent: the idle loop that the timer interrupts, and the task that runs after the task switch.

setup() {
	case $(uname -r) in
	5.10.* | 6.1.*) groups=20000 ;;
	*) groups=60000 ;;
	esac
	cd /sys/fs/cgroup && echo +cpu >cgroup.subtree_control && mkdir lim &&
		echo +cpu >lim/cgroup.subtree_control || return
	awk -v n=$groups 'BEGIN { for (i = 1; i <= n; i++) print "lim/g" i }' | xargs mkdir || return
	cd / && echo 20000 100000 >/sys/fs/cgroup/lim/cpu.max
}

incident() {
	repeat 4 0 background sh -c \
		'echo $$ >/sys/fs/cgroup/lim/g1/cgroup.procs; while :; do :; done'
	sleep 5
	stop_background
}

truth() {
	first_line "walk_tg_tree_from|tg_unthrottle_up|tg_throttle_down|unthrottle_cfs_rq|throttle_cfs_rq|unthrottle_cfs_rq_.*|distribute_cfs_runtime|__cfsb_csd_unthrottle|__unthrottle_cfs_rq_async" \
		"task sh|interrupt handler|several contexts" interrupts
	innocent load_balance
	no_task "swapper.*|rcu_.*|awk|find|ksoftirqd.*|kworker.*"
	rows_at_most 6
}
