# SPDX-License-Identifier: GPL-2.0
#
# 20,000 POSIX timers expire at once on an idle CPU. hrtimer_interrupt() calls posix_timer_fn() for
# each timer, with interrupts off. The interrupted idle loop (native_safe_halt, pv_native_safe_halt)
# is innocent: the report names the handler.
# Source: WSL#11274, fedora-coreos-tracker#1841 ("hrtimer: interrupt took"). All kernels.
#
# releases: 11 12 13 backports light
# vm: --icount --smp 2 --mem 1024

# The helper stays on CPU 0: otherwise it may wake on CPU 1 as the timers expire.
setup() {
	taskset -p 1 $$
	start taskset -c 1 crowd timers 20000 20000
}

incident() {
	sleep 22
}

truth() {
	# Without a sample in a timer's function, the report says "probably", and names the loop over all
	# timers, or what takes a timer off its tree, if all samples hit that.
	first_line "posix_timer_fn|send_sigqueue|posixtimer_send_sigqueue|__hrtimer_run_queues|timerqueue_del|__remove_hrtimer" \
		"interrupt handler, on top of the idle task" interrupts
	innocent hrtimer_run_queues complete_signal __send_signal
	no_task "swapper.*"
	rows_at_most 2
}
