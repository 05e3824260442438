# SPDX-License-Identifier: GPL-2.0
#
# An aio context with 60,000 polls that wait for one eventfd is destroyed. free_ioctx_users()
# cancels all of them under ctx_lock with interrupts off. This function runs as an RCU callback, in
# a softirq on top of any task. On an idle CPU, the record says that softirqs were delayed.
# Source: free_ioctx_users() of fs/aio.c; IOCB_CMD_POLL came with 4.18. All kernels.
#
# releases: 11 12 13 backports light
# vm: --icount --smp 2 --mem 2048

setup() {
	sysctl -w fs.aio-max-nr=1000000 &&
		start crowd aio 60000
}

incident() {
	trigger
	sleep 3
}

truth() {
	first_line "free_ioctx_users|aio_poll_cancel|__queue_work|queue_work_on" \
		"softirq handler|task crowd" "interrupts|softirqs"
	innocent rcu_do_batch rcu_core percpu_ref_switch_to_atomic_rcu insert_work
	rows_at_most 2
}
