# SPDX-License-Identifier: GPL-2.0
#
# 2,600 cgroups have done I/O, and a file of the blkio controller is read. On 5.10
# blkcg_print_blkgs() walks all of these cgroups under the queue's lock with interrupts off.
# Source: reports of kubelet on hosts with leaked blkio cgroups. 5.10, with cgroup v1.
#
# releases: 11
# vm: --icount --smp 4 --mem 4096 --append systemd.unified_cgroup_hierarchy=0

setup() {
	mkdir -p /blkio && mount -t cgroup -o blkio none /blkio || return
	# The kernel walks only cgroups that have done I/O: one process reads in each.
	awk 'BEGIN { for (i = 1; i <= 2600; i++) print "/blkio/g" i }' | xargs mkdir || return
	for group in /blkio/g*; do
		sh -c 'echo $$ >"$1/cgroup.procs"
			exec dd if=/dev/vda of=/dev/null bs=4k count=1 iflag=direct status=none' \
			sh "$group" || return
	done
}

incident() {
	for file in bfq.io_service_bytes_recursive throttle.io_service_bytes_recursive; do
		[ ! -e /blkio/blkio.$file ] || repeat 5 1 cat /blkio/blkio.$file
	done
}

truth() {
	first_line "blkcg_print_blkgs|blkg_rwstat_recursive_sum|tg_prfill_rwstat_recursive|bfqg_prfill_rwstat_recursive|blkg_prfill_rwstat" \
		"task cat" interrupts
	rows_at_most 2
}
