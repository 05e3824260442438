# SPDX-License-Identifier: GPL-2.0
#
# memory.stat of a cgroup is read after the statistics of its 12,000 children have changed.
# mem_cgroup_flush_stats() sums up the children with interrupts off.
# Source: reports of cadvisor, which reads memory.stat. 6.1; later kernels enable interrupts after
# the part of each CPU.
#
# releases: 12

# A task that writes to a file also makes the kernel sum up the statistics. Stop the journal:
# otherwise it may write before the incident does. Then give each cgroup a page of a file.
setup() {
	systemctl stop systemd-journald.socket systemd-journald-dev-log.socket systemd-journald.service
	cd /sys/fs/cgroup && echo +memory >cgroup.subtree_control && mkdir many &&
		echo +memory >many/cgroup.subtree_control || return
	awk 'BEGIN { for (i = 1; i <= 12000; i++) print "many/g" i }' | xargs mkdir && mkdir /root/many ||
		return
	cd /
	sh -c 'cd /sys/fs/cgroup
		for group in many/g*; do
			echo $$ >"$group/cgroup.procs" && echo x >"/root/$group" || exit
		done' && sync
}

# Freeing the pages changes all statistics. The kernel itself sums them up every two seconds, too.
incident() {
	echo 1 >/proc/sys/vm/drop_caches
	cat /sys/fs/cgroup/many/memory.stat
}

truth() {
	first_line "mem_cgroup_wb_stats|cgroup_rstat_flush_locked|mem_cgroup_css_rstat_flush|memory_stat_format|memcg_stat_show|memory_stat_show|cgroup_rstat_flush|cgroup_rstat_flush_irqsafe|mem_cgroup_flush_stats|__mem_cgroup_flush_stats" \
		"(task|last|mostly) (cat|sh|kworker.*)" "interrupts"
	innocent _raw_spin_lock_irqsave cgroup_rstat_updated
	rows_at_most 3
}
