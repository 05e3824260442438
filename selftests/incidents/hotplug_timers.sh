# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
# shellcheck shell=sh
#
# A CPU with 50,000 timers goes offline. The CPU hands its timers to another CPU with interrupts
# off, while all other CPUs wait in stop_machine() with interrupts off.
# Source: hrtimers_cpu_dying() of kernel/time/hrtimer.c, since 6.7 and in stable kernels;
# before, hrtimers_dead_cpu() in the task that writes to "online". All kernels.
# Innocent: multi_cpu_stop() on the CPUs that wait. The CPU that goes offline may leave no record:
# then the report names no function.
#
# releases: 11 12 13 backports
# vm: --icount --smp 4 --mem 4096

setup() {
	start taskset -c 3 crowd timers 50000 3600000
}

incident() {
	echo 0 >/sys/devices/system/cpu/cpu3/online || return
	sleep 2
	echo 1 >/sys/devices/system/cpu/cpu3/online
}

truth() {
	first_line "hrtimers_cpu_dying|hrtimers_dead_cpu|migrate_hrtimer_list|[(].*" "" interrupts
	innocent multi_cpu_stop rcu_momentary_dyntick_idle rcu_momentary_eqs stop_machine_yield \
		cpu_stopper_thread
	rows_at_most 2
}
