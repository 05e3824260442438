# SPDX-License-Identifier: GPL-2.0
#
# 20,000 epoll instances wait for one eventfd, and a task writes to the eventfd. eventfd_write()
# calls ep_poll_callback() for each instance, under the lock of the wait queue with interrupts off.
# Source: eventfd_write() and wake_up_locked_poll() of fs/eventfd.c; 2554db916586 (4.14) breaks up
# long walks of wait queues, but not those under wake_up_locked(). All kernels.
#
# releases: 11 12 13 backports light
# vm: --icount --smp 2 --mem 2048

setup() {
	start crowd herd 20000
}

incident() {
	repeat 3 1 trigger
}

truth() {
	first_line "eventfd_write|eventfd_read|eventfd_signal.*|__wake_up_common|__wake_up_locked_key|ep_poll_callback" \
		"task crowd" interrupts
	# The write, the read, and, if most samples of a window are deeper, what both call.
	rows_at_most 3
}
