// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * NMIs from a cycle counter of each monitored CPU (parameter cycles). In each NMI the CPU checks
 * and samples itself: where no CPU can send an NMI to another one (arm64), and when all CPUs
 * are stuck. Cycles in user space do not count.
 *
 * Off by default, as perf may want the counter. The counter's interrupt is an NMI on x86, and on
 * arm64 with CONFIG_ARM64_PSEUDO_NMI and irqchip.gicv3_pseudo_nmi=1. Elsewhere the interrupt
 * waits until interrupts are on, which is of no use: then the counters are released.
 *
 * To create a counter the kernel sends its CPU an IPI and waits. So a work item does that,
 * when an RCU grace period has shown that no CPU is stuck.
 *
 * Context: process; counter_overflow() runs in NMI.
 */
#include <linux/err.h>
#include <linux/kcsan-checks.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "detect/counter.h"

static u64 every_cycles;
static void (*on_nmi)(struct pt_regs *regs);

/* Used by the work item only. */
static DEFINE_PER_CPU(struct perf_event *, events);
static struct cpumask cpus_now;

static DEFINE_PER_CPU(u64, nr_nmis);

/* The CPUs that shall have a counter. The mutex is never held while a CPU is waited for. */
static DEFINE_MUTEX(wanted_mutex);
static struct cpumask wanted;

static struct rcu_work change_work;

static const char *state = "off (parameter)";
static bool is_no_nmi;

/* NMI, or hardirq where the interrupt is no NMI. KCSAN: see nmi_x86.c. */
static void counter_overflow(struct perf_event *event, struct perf_sample_data *data,
			     struct pt_regs *regs)
{
	if (!in_nmi()) {
		if (!READ_ONCE(is_no_nmi)) {
			WRITE_ONCE(is_no_nmi, true);
			queue_rcu_work(compat_unbound_wq, &change_work);
		}
		return;
	}
	kcsan_disable_current();
	this_cpu_inc(nr_nmis);
	on_nmi(regs);
	kcsan_enable_current();
}

static struct perf_event *create(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.size = sizeof(attr),
		.sample_period = every_cycles,
		.pinned = 1,
		.exclude_user = 1,
	};
	struct perf_event *event;

	event = perf_event_create_kernel_counter(&attr, cpu, NULL, counter_overflow, NULL);
	/* A pinned event that finds no counter free exists, but does not count. */
	if (!IS_ERR(event) && event->state == PERF_EVENT_STATE_ERROR) {
		perf_event_release_kernel(event);
		event = ERR_PTR(-EBUSY);
	}
	return event;
}

/* Release all counters, and create those of the CPUs to be monitored. */
static void change(struct work_struct *work)
{
	const char *failed = NULL;
	bool any = false;
	int cpu;

	mutex_lock(&wanted_mutex);
	cpumask_copy(&cpus_now, &wanted);
	mutex_unlock(&wanted_mutex);
	for_each_possible_cpu(cpu) {
		struct perf_event **event = per_cpu_ptr(&events, cpu);

		if (*event)
			perf_event_release_kernel(*event);
		*event = NULL;
		if (READ_ONCE(is_no_nmi) || !cpumask_test_cpu(cpu, &cpus_now) || !cpu_online(cpu))
			continue;
		*event = create(cpu);
		if (!IS_ERR(*event)) {
			any = true;
			continue;
		}
		failed = PTR_ERR(*event) == -EBUSY ? "off (no counter is free)" :
						     "off (no counter)";
		*event = NULL;
	}
	if (READ_ONCE(is_no_nmi))
		failed = "off (its interrupt is no NMI)";
	WRITE_ONCE(state, failed ?: any ? "on" : "off (disabled)");
}

void counter_enable(const struct cpumask *cpus)
{
	if (!every_cycles)
		return;
	mutex_lock(&wanted_mutex);
	cpumask_copy(&wanted, cpus ?: cpu_none_mask);
	mutex_unlock(&wanted_mutex);
	WRITE_ONCE(state, "off (waiting for all CPUs)");
	queue_rcu_work(compat_unbound_wq, &change_work);
}

void counter_cpu_online(void)
{
	if (every_cycles)
		queue_rcu_work(compat_unbound_wq, &change_work);
}

const char *counter_state(void)
{
	return READ_ONCE(state);
}

u64 counter_nmis(void)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(nr_nmis, cpu));
	return sum;
}

void counter_init(u64 cycles, void (*handler)(struct pt_regs *regs))
{
	every_cycles = cycles;
	on_nmi = handler;
	if (cycles)
		state = "off (disabled)";
	INIT_RCU_WORK(&change_work, change);
}

void counter_exit(void)
{
	flush_rcu_work(&change_work);
	/* A counter may have queued the work once more before it was released. */
	flush_rcu_work(&change_work);
}
