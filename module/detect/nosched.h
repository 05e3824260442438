/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Finds nosched windows: times in which kernel code keeps the CPU from a task that should run. */
#ifndef TRACE_IRQOFF_NOSCHED_H
#define TRACE_IRQOFF_NOSCHED_H

#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "record/sample.h"
#include "record/window.h"

/* The nosched window of one CPU. Times are CLOCK_MONOTONIC. */
struct nosched_cpu {
	struct window window;		/* its begin moves on by the length of other records */
	const struct task_struct *task;	/* keeps the CPU; do not dereference: it may have ended */
	unsigned long switches;		/* how often @task has left the CPU */
	u64 last_open_ns;		/* the newest tick at which @window was open */
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
	return this_cpu_ptr(nosched_cpus)->window.began_ns || need_resched();
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
const struct window *nosched_window(int cpu);

#endif /* TRACE_IRQOFF_NOSCHED_H */
