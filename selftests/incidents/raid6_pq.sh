# SPDX-License-Identifier: GPL-2.0
#
# raid6_pq, which btrfs and md need, measures each of its algorithms for 16 jiffies when it is
# loaded, with preemption off. A task that waits for the CPU cannot run meanwhile.
# Source: raid6_choose_gen() in lib/raid6/algos.c, all kernels.
#
# releases: 12 backports
# vm: --icount --smp 2 --mem 2048

# Load the module once before, so that the traced load does not wait for the disk.
setup() {
	modprobe raid6_pq && rmmod raid6_pq
}

incident() {
	spin 1
	taskset -c 1 modprobe raid6_pq
	stop_background
}

# The kernel frees the functions that initialize a module, and their names: only [raid6_pq] is left.
truth() {
	first_line "\\[raid6_pq]" "task modprobe" tasks
	rows_at_most 3
}
