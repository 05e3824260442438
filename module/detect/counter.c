// SPDX-License-Identifier: GPL-2.0
/*
 * An NMI every so many cycles, by a performance counter of each monitored CPU: in it the CPU
 * looks at itself, and needs no other one for that. It is for architectures where no CPU can send
 * another one an NMI, and where all CPUs may be stuck at once, or there is only one.
 *
 * It is off unless a parameter asks for it: it takes a counter that others may want, and an NMI
 * each so many cycles in the kernel. Cycles in user space do not count, nor, on real hardware,
 * those of a CPU that sleeps.
 *
 * The interrupt of the counter is an NMI on x86. On arm64 it is where the kernel has
 * CONFIG_ARM64_PSEUDO_NMI and was booted with irqchip.gicv3_pseudo_nmi=1. Elsewhere it comes when
 * interrupts are back on, which is of no use: then the counters are given back.
 *
 * To set up a counter the kernel calls that CPU, and waits for it. As with idle.c that is not even
 * tried before RCU knows that each CPU has come by, and then by a work item.
 *
 * Context: process, but for overflowed().
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kcsan-checks.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "detect/counter.h"

/**
 * struct counter - one CPU
 * @event: its counter, NULL when it has none; by the work item
 * @nmis: NMIs so far; by itself
 */
struct counter {
	struct perf_event *event;
	u64 nmis;
};

static DEFINE_PER_CPU(struct counter, counters);

static u64 every_cycles;
static void (*on_nmi)(struct pt_regs *regs);

/* CPUs that are to have one, and those that were offline since they had one. */
static DEFINE_SPINLOCK(wanted_lock);
static struct cpumask wanted;
static struct cpumask stale;

static struct rcu_work change_work;

/* As far as is known. Read anywhere. */
static bool counts;
static bool is_no_nmi;
static long error;

static void change_soon(void)
{
	/* If it runs right now, it runs once more. */
	queue_rcu_work(compat_unbound_wq, &change_work);
}

/* NMI; hardirq where it is none. KCSAN: see nmi_x86.c. */
static void overflowed(struct perf_event *event, struct perf_sample_data *data,
		       struct pt_regs *regs)
{
	if (!in_nmi()) {
		if (!READ_ONCE(is_no_nmi)) {
			WRITE_ONCE(is_no_nmi, true);
			change_soon();
		}
		return;
	}
	kcsan_disable_current();
	this_cpu_inc(counters.nmis);
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

	event = perf_event_create_kernel_counter(&attr, cpu, NULL, overflowed, NULL);
	if (IS_ERR(event))
		return event;
	/* A pinned one that finds no counter free is there, and does not count. */
	if (event->state != PERF_EVENT_STATE_ERROR)
		return event;
	perf_event_release_kernel(event);
	return ERR_PTR(-EBUSY);
}

/* Return: whether a CPU is to have a counter, and not the one that it had when it went offline. */
static bool is_wanted(int cpu, bool *anew)
{
	bool want;

	spin_lock_irq(&wanted_lock);
	want = cpumask_test_cpu(cpu, &wanted) && !READ_ONCE(is_no_nmi);
	*anew = cpumask_test_and_clear_cpu(cpu, &stale);
	spin_unlock_irq(&wanted_lock);
	return want;
}

static void change(struct work_struct *work)
{
	long failed = 0;
	bool any = false;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct perf_event **event = &per_cpu_ptr(&counters, cpu)->event;
		bool anew, want = is_wanted(cpu, &anew);

		if (*event && (anew || !want)) {
			perf_event_release_kernel(*event);
			*event = NULL;
		}
		if (!*event && want && cpu_online(cpu)) {
			*event = create(cpu);
			if (IS_ERR(*event)) {
				failed = PTR_ERR(*event);
				*event = NULL;
			}
		}
		if (*event)
			any = true;
	}
	WRITE_ONCE(error, failed);
	WRITE_ONCE(counts, any && !failed);
}

void counter_enable(const struct cpumask *cpus)
{
	unsigned long flags;

	if (!every_cycles)
		return;
	spin_lock_irqsave(&wanted_lock, flags);
	if (cpus)
		cpumask_copy(&wanted, cpus);
	else
		cpumask_clear(&wanted);
	spin_unlock_irqrestore(&wanted_lock, flags);
	change_soon();
}

void counter_cpu_online(int cpu)
{
	unsigned long flags;

	if (!every_cycles)
		return;
	spin_lock_irqsave(&wanted_lock, flags);
	cpumask_set_cpu(cpu, &stale);
	spin_unlock_irqrestore(&wanted_lock, flags);
	change_soon();
}

const char *counter_state(void)
{
	if (!every_cycles)
		return "off (parameter)";
	if (READ_ONCE(is_no_nmi))
		return "off (its interrupt is no NMI)";
	switch (READ_ONCE(error)) {
	case 0:
		break;
	case -EBUSY:
		return "off (no counter is free)";
	default:
		return "off (no counter)";
	}
	if (READ_ONCE(counts))
		return "on";
	/* Changes meanwhile are seen or not: either was so. */
	return data_race(cpumask_empty(&wanted)) ? "off (disabled)" :
						   "off (a CPU has not come by yet)";
}

u64 counter_nmis(void)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(&counters, cpu)->nmis);
	return sum;
}

void counter_init(u64 cycles, void (*handler)(struct pt_regs *regs))
{
	every_cycles = cycles;
	on_nmi = handler;
	INIT_RCU_WORK(&change_work, change);
}

void counter_exit(void)
{
	flush_rcu_work(&change_work);
	/* A counter may have overflowed, and asked for it once more, before it was taken away. */
	flush_rcu_work(&change_work);
}
