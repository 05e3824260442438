// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * In NMIs from a cycle counter (parameter cycles), a CPU checks itself. So there are samples on
 * arm64, whose CPUs cannot send each other NMIs, and when all CPUs are stuck. The interrupt of the
 * counter is an NMI on x86, and on arm64 with CONFIG_ARM64_PSEUDO_NMI and
 * irqchip.gicv3_pseudo_nmi=1. Context: process; counter_overflow() runs in NMI.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kcsan-checks.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "detect/nmi.h"

static u64 counter_period_cyc;
static DEFINE_PER_CPU(struct perf_event *, events);	/* used by the work item only */
static struct cpumask cpus_requested;			/* to count on */

/*
 * To create a counter, the kernel sends its CPU an IPI and waits. So a work item creates the
 * counters, when an RCU grace period has shown that no CPU is stuck.
 */
static struct rcu_work change_work;

static const char *state = "off (parameter)";
static bool is_no_nmi;

/* Release the counters if their interrupt is not an NMI: it comes only once interrupts are on. */
static void counter_overflow(struct perf_event *event, struct perf_sample_data *data,
			     struct pt_regs *regs)
{
	if (!in_nmi()) {
		if (!xchg(&is_no_nmi, true))
			queue_rcu_work(compat_unbound_wq, &change_work);
		return;
	}
	kcsan_disable_current();	/* see nmi_x86.c */
	nmi_self(regs);
	kcsan_enable_current();
}

static struct perf_event *counter_create(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.size = sizeof(attr),
		.sample_period = counter_period_cyc,
		.pinned = 1,
		.exclude_user = 1,
	};
	struct perf_event *event;

	event = perf_event_create_kernel_counter(&attr, cpu, NULL, counter_overflow, NULL);
	/* No counter is free: the kernel has created the pinned event, but it does not count. */
	if (!IS_ERR(event) && event->state == PERF_EVENT_STATE_ERROR) {
		perf_event_release_kernel(event);
		event = ERR_PTR(-EBUSY);
	}
	return event;
}

/* Release all counters, and create those requested. */
static void counter_change(struct work_struct *work)
{
	const char *result = NULL;
	bool any = false;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct perf_event *event = per_cpu(events, cpu);

		if (event)
			perf_event_release_kernel(event);
		per_cpu(events, cpu) = NULL;
		if (READ_ONCE(is_no_nmi) || !cpumask_test_cpu(cpu, &cpus_requested) ||
		    !cpu_online(cpu))
			continue;
		event = counter_create(cpu);
		if (IS_ERR(event)) {
			result = PTR_ERR(event) == -EBUSY ? "off (no counter is free)" :
							    "off (no counter)";
		} else {
			per_cpu(events, cpu) = event;
			any = true;
		}
	}
	if (READ_ONCE(is_no_nmi))
		result = "off (its interrupt is no NMI)";
	else if (result && any)
		result = "on, but not on all CPUs";
	WRITE_ONCE(state, result ?: any ? "on" : "off (disabled)");
}

void counter_enable(const struct cpumask *cpus)
{
	if (!counter_period_cyc)
		return;
	/* The work item may run now, and read half of the mask: it is queued again below. */
	data_race(cpus_requested = *cpus);
	WRITE_ONCE(state, "off (waiting for all CPUs)");
	queue_rcu_work(compat_unbound_wq, &change_work);
}

void counter_cpu_online(void)
{
	if (counter_period_cyc)
		queue_rcu_work(compat_unbound_wq, &change_work);
}

const char *counter_state(void)
{
	return READ_ONCE(state);
}

void counter_init(u64 period_cyc)
{
	counter_period_cyc = period_cyc;
	if (period_cyc)
		state = "off (disabled)";
	INIT_RCU_WORK(&change_work, counter_change);
}

void counter_exit(void)
{
	flush_rcu_work(&change_work);
	/* A counter may have queued the work once more before it was released. */
	flush_rcu_work(&change_work);
}
