/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/*
 * Softirq windows: times in which a CPU does not run its softirqs (softirqs.c). Nosched windows:
 * times in which kernel code keeps a CPU from a task that should run (nosched.c). Ticks find both.
 */
#ifndef TRACE_IRQOFF_DELAYS_H
#define TRACE_IRQOFF_DELAYS_H

#include <linux/hrtimer.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/prio.h>
#include <linux/types.h>

#include "compat.h"
#include "record/sample.h"
#include "record/window.h"

/* The nosched window of one CPU. Times are CLOCK_MONOTONIC. */
struct nosched_cpu {
	struct window window;		/* its begin moves on by the length of other records */
	const struct task_struct *task;	/* keeps the CPU; do not dereference: it may have ended */
	unsigned long switches;		/* how often @task has left the CPU */
	u64 last_open_ns;		/* the newest tick or softirq record with @window open */
	u64 free_ns;			/* a tick before @window, or when the CPU was idle */
	u64 steal_ns;			/* record_steal() at the begin or the last hardirq record */
	bool steal_may_grow;		/* the newest tick made such a record: not final */
	struct interrupts interrupts;	/* their number when @window began */
};

extern struct nosched_cpu __percpu *nosched_cpus;

/** nosched_init() - Context: process. Return: 0, or -ENOMEM. */
int nosched_init(void);

/** nosched_exit() - to be called after cpus_exit(). Context: process. */
void nosched_exit(void);

/** nosched_start() - monitor this CPU from @now (CLOCK_MONOTONIC) on. Context: hardirq. */
void nosched_start(u64 now);

/** nosched_stop() - do not monitor a CPU any more. Context: process. */
void nosched_stop(int cpu);

/** nosched_is_possible() - Return: whether a window is open, or may begin. Context: hardirq. */
static inline bool nosched_is_possible(void)
{
	return READ_ONCE(this_cpu_ptr(nosched_cpus)->window.began_ns) || need_resched();
}

/**
 * nosched_tick() - open, shorten, sample or end the nosched window of this CPU
 * @now: CLOCK_MONOTONIC
 * @recorded_ns: length of the hardirq window that this tick has recorded; 0: none
 * @last_ns: when the previous tick ran
 * @on_ns: see tick()
 *
 * Context: a tick, after softirqs_tick(), if nosched_is_possible().
 */
void nosched_tick(u64 now, u64 recorded_ns, u64 last_ns, u64 on_ns);

/**
 * nosched_end_idle() - end the window of this CPU, if its task has left the CPU
 * @now: CLOCK_MONOTONIC
 *
 * The tick of an idle CPU may be stopped, so a watcher sends the CPU an IPI. Context: hardirq.
 */
void nosched_end_idle(u64 now);

/* A softirq record of this CPU begins at @softirqs_ns: that time does not count. Interrupts off. */
void nosched_take_off(u64 softirqs_ns, u64 now);

/* Return: the time since the newest tick, and the time of an open softirq window. Context: any. */
u64 nosched_not_counted_ns(int cpu, u64 now);

/** nosched_window() - Return: the nosched window of a CPU. Context: any. */
static inline const struct window *nosched_window(int cpu)
{
	return &per_cpu_ptr(nosched_cpus, cpu)->window;
}

/* The softirqs of one CPU. Times are CLOCK_MONOTONIC. */
struct softirqs_cpu {
	struct hrtimer timer;		/* the soft timer, queued while @window is open */
	struct window window;		/* its begin moves on by the length of hardirq records */
	u64 suspect_ns;			/* a tick found softirqs delayed: a window may begin */
	u64 delayed_ns;			/* the newest tick that did, without a window */
	u64 free_ns;			/* the newest time known at which softirqs could run */
	u64 steal_ns;			/* record_steal() then, or at the last hardirq record */
	bool steal_may_grow;		/* the newest tick made such a record: not final */
	struct interrupts interrupts;	/* their number at @suspect_ns */
	struct task_struct *ksoftirqd;	/* NULL: not found, and every tick starts the timer */
};

extern struct softirqs_cpu __percpu *softirqs_cpus;

int softirqs_init(void);

/** softirqs_exit() - to be called after cpus_exit(). Context: process. */
void softirqs_exit(void);

/** softirqs_cpu_online() - a CPU comes online, and has not ticked yet. Context: process. */
void softirqs_cpu_online(int new_cpu);

/** softirqs_start() - monitor this CPU from @now (CLOCK_MONOTONIC) on. Interrupts are off. */
void softirqs_start(u64 now);

/** softirqs_stop() - do not monitor a CPU any more. Waits for its soft timer. Context: process. */
void softirqs_stop(int cpu);

/**
 * softirqs_may_be_delayed() - is a window open, or may one begin?
 *
 * The interrupt of a tick runs softirqs when it returns, unless
 *   - it interrupted a softirq handler, or code that had softirqs disabled;
 *   - ksoftirqd is runnable: up to 6.4 an interrupt then leaves all softirqs to ksoftirqd;
 *   - threads run softirqs (PREEMPT_RT), and cannot preempt the interrupted task.
 * Context: hardirq.
 */
static inline bool softirqs_may_be_delayed(void)
{
	const struct softirqs_cpu *s = this_cpu_ptr(softirqs_cpus);

	return READ_ONCE(s->window.began_ns) || softirq_count() || !s->ksoftirqd ||
	       compat_task_is_running(s->ksoftirqd) ||
	       (IS_ENABLED(CONFIG_PREEMPT_RT) && !sample_idle_task() &&
		((preempt_count() & PREEMPT_MASK) || READ_ONCE(current->prio) < MAX_RT_PRIO));
}

/**
 * softirqs_tick() - open, shorten or sample the softirq window of this CPU
 *
 * The arguments are those of nosched_tick(). Context: a tick, if softirqs_may_be_delayed().
 */
void softirqs_tick(u64 now, u64 recorded_ns, u64 last_ns, u64 on_ns);

/*
 * Before 6.0, after an interrupt in softirqs of the idle task, the kernel counts the rest of the
 * softirqs as idle time, and checks find the CPU alive. So each timer interrupt of ours looks
 * itself. Return: whether it did. Context: hardirq, in the idle task.
 */
static inline bool softirqs_tick_idle(u64 now, u64 last_ns)
{
	if (COMPAT_IDLE_NOW || !softirqs_may_be_delayed())
		return false;
	softirqs_tick(now, 0, last_ns, 0);
	return true;
}

/* Return: the softirq window of a CPU. Context: any. */
static inline const struct window *softirqs_window(int cpu)
{
	return &per_cpu_ptr(softirqs_cpus, cpu)->window;
}

/* Return: whether a tick has opened the window in softirqs of the idle task. Context: any. */
static inline bool softirqs_are_of_idle(int cpu)
{
	const struct window *window = softirqs_window(cpu);

	return window_began(window) && READ_ONCE(window->of_idle);
}

#endif /* TRACE_IRQOFF_DELAYS_H */
