// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * In NMIs from a cycle counter (parameter cycles), a CPU of arm64 checks itself. The interrupt of
 * the counter is an NMI with CONFIG_ARM64_PSEUDO_NMI and irqchip.gicv3_pseudo_nmi=1. Context:
 * process; counter_overflow() runs in NMI.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kcsan-checks.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "detect/nmi.h"
#include "detect/tick.h"
#include "record/sample.h"

/* One CPU, at its last NMI */
struct counter_cpu {
	struct perf_event *event;	/* used by the work item only */
	u64 nr_nmis;
	struct task_struct *task;	/* was interrupted with interrupts off; NULL: none */
	unsigned long switches;		/* context switches of @task */
	u64 ran_ns;			/* the CPU's last tick */
	u64 same_ns;			/* first NMI that found these three the same */
};

static DEFINE_PER_CPU(struct counter_cpu, counter_cpus);

static u64 counter_period_cyc;
static struct cpumask cpus_requested;			/* to count on */

/*
 * To create a counter, the kernel sends its CPU an IPI and waits. So a work item creates the
 * counters, when an RCU grace period has shown that no CPU is stuck.
 */
static struct rcu_work change_work;

static const char *state = "off (parameter)";
static bool is_no_nmi;

/*
 * This CPU is stuck if all NMIs for more than one tick have interrupted the same task, with
 * interrupts off, without a context switch or a tick between them.
 */
static void counter_check(struct pt_regs *regs)
{
	struct counter_cpu *s = this_cpu_ptr(&counter_cpus);
	const struct tick_cpu *c = this_cpu_ptr(&tick_cpus);
	unsigned long switches = current->nvcsw + current->nivcsw;
	u64 now = ktime_get_mono_fast_ns();

	s->nr_nmis++;
	if (sample_idle_task() || !compat_irqs_disabled(regs) || !READ_ONCE(c->running)) {
		s->task = NULL;
		return;
	}
	if (s->task != current || s->switches != switches || s->ran_ns != c->ran_ns) {
		s->task = current;
		s->switches = switches;
		s->ran_ns = c->ran_ns;
		s->same_ns = now;
		return;
	}
	/* 1 ms of margin, as MISSED_MARGIN_NS: a tick that comes by then closes the window. */
	if (now - s->same_ns >= c->interval_ns + NSEC_PER_MSEC && !c->uses_window)
		nmi_sample_self(s->same_ns + c->interval_ns, now, regs);
}

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
	counter_check(regs);
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
		struct perf_event *event = per_cpu(counter_cpus, cpu).event;

		if (event)
			perf_event_release_kernel(event);
		per_cpu(counter_cpus, cpu).event = NULL;
		if (READ_ONCE(is_no_nmi) || !cpumask_test_cpu(cpu, &cpus_requested) ||
		    !cpu_online(cpu))
			continue;
		event = counter_create(cpu);
		if (IS_ERR(event)) {
			result = PTR_ERR(event) == -EBUSY ? "off (no counter is free)" :
							    "off (no counter)";
		} else {
			per_cpu(counter_cpus, cpu).event = event;
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

u64 counter_nr_nmis(void)
{
	u64 nr = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		nr += READ_ONCE(per_cpu(counter_cpus, cpu).nr_nmis);
	return nr;
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
