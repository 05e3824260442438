/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Measures for how long a CPU does not run its softirqs. */
#ifndef TRACE_IRQOFF_SOFTIRQ_H
#define TRACE_IRQOFF_SOFTIRQ_H

#include <linux/hrtimer.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/prio.h>
#include <linux/types.h>

#include "compat.h"
#include "record/sample.h"
#include "record/window.h"

struct pt_regs;

/**
 * struct softirqs_cpu - one CPU
 * @timer: the soft timer, queued while @window is open
 * @window: its begin moves on by the length of hardirq windows
 * @ran_ns: when the timer last ran
 * @free_ns: softirqs could run then, before @window began
 * @steal_ns: record_steal() when @window began
 * @ksoftirqd: of this CPU; NULL if it was not found, then all ticks start the timer
 *
 * All times are CLOCK_MONOTONIC.
 */
struct softirqs_cpu {
	struct hrtimer timer;
	struct window window;
	u64 ran_ns;
	u64 free_ns;
	u64 steal_ns;
	struct task_struct *ksoftirqd;
};

extern struct softirqs_cpu __percpu *softirqs_cpus;

int softirqs_init(void);

/** softirqs_exit() - no tick runs any more. Waits for the soft timers. Context: process. */
void softirqs_exit(void);

/** softirqs_cpu_online() - a CPU has come online. Context: process. */
void softirqs_cpu_online(int cpu);

/**
 * softirqs_start() - this CPU is monitored from @now (CLOCK_MONOTONIC) on
 *
 * If softirqs are delayed already, a window is open from now on. Context: interrupts off.
 */
void softirqs_start(u64 now);

/** softirqs_stop() - a CPU is not monitored any more. Context: process. */
void softirqs_stop(int cpu);

/* Threads run softirqs: can this thread not preempt what the tick interrupted? */
static inline bool softirqs_thread_must_wait(void)
{
	return !sample_idle_task() &&
	       ((preempt_count() & PREEMPT_MASK) || READ_ONCE(current->prio) < MAX_RT_PRIO);
}

/**
 * softirqs_may_be_delayed() - may softirqs not run when this interrupt returns?
 *
 * Context: hardirq. Return: true as well while a window is open.
 */
static inline bool softirqs_may_be_delayed(void)
{
	const struct softirqs_cpu *s = this_cpu_ptr(softirqs_cpus);

	return s->window.began_ns || softirq_count() || !s->ksoftirqd ||
	       compat_task_is_running(s->ksoftirqd) ||
	       (IS_ENABLED(CONFIG_PREEMPT_RT) && softirqs_thread_must_wait());
}

/**
 * softirqs_tick() - open, prolong or sample the softirq window of this CPU
 * @now: CLOCK_MONOTONIC
 * @late_ns: how late this tick is
 * @last_ns: when the previous tick ran
 * @on_ns: see tick()
 *
 * Context: a tick, if softirqs_may_be_delayed().
 */
void softirqs_tick(u64 now, u64 late_ns, u64 last_ns, u64 on_ns);

/**
 * softirqs_sample_nmi() - sample the softirq window of this CPU, if one is open
 *
 * Context: NMI, interrupts of the interrupted context on. Return: whether one is open.
 */
bool softirqs_sample_nmi(u64 now, struct pt_regs *regs);

/** softirqs_window() - Return: the softirq window of a CPU. */
const struct window *softirqs_window(int cpu);

#endif /* TRACE_IRQOFF_SOFTIRQ_H */
