# SPDX-License-Identifier: GPL-2.0
#
# A task with 20,000 perf events ("tail") sleeps and wakes every 200 ms. Each task switch schedules all
# events out or in, with interrupts off.
# Source: __perf_event_task_sched_out(), ctx_sched_in() of kernel/events/core.c. All kernels.
# Innocent: the task that runs after the task switch, and finish_task_switch(), where interrupts
# come back on.
#
# vm: --icount --smp 2 --mem 2048

setup() {
	start crowd perf 20000 tail -s 0.2 -f --pid=1 /dev/null
}

incident() {
	sleep 5
}

truth() {
	first_line "__perf_event_task_sched_(in|out)|perf_event_(context_)?sched_(in|out)|perf_event_context_sched_(in|out)|(__pmu_)?ctx_(flexible_|groups_|pinned_)?sched_(in|out)|__pmu_ctx_sched_(in|out)|merge_sched_in|visit_groups_merge|pmu_groups_sched_in|(group|event)_sched_(in|out)|perf_pmu_sched_task" \
		"task tail" interrupts
	no_task "swapper.*|rcu_.*|kworker.*"
	rows_at_most 3
}
