/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Makes records of windows that have ended. */
#ifndef TRACE_IRQOFF_RECORD_H
#define TRACE_IRQOFF_RECORD_H

#include <linux/kernel_stat.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "record/sample.h"

struct window;

/** record_steal() - Return: the stolen ns that the kernel has accounted to a CPU. Context: any. */
static inline u64 record_steal(int cpu)
{
	return READ_ONCE(kcpustat_cpu(cpu).cpustat[CPUTIME_STEAL]);
}

/* This CPU has made records since its last tick: the next tick calls record_settle(). */
DECLARE_PER_CPU(bool, record_unsettled);

/**
 * record_settle() - add the stolen time that the kernel has accounted since the records were made
 * @late: the tick is late: do not add the time, which may belong to the next window
 *
 * The kernel accounts stolen time on its own tick, which may come after ours. Context: a tick.
 */
void record_settle(bool late);

/* A window that has ended */
struct ended_window {
	enum window_kind kind;	/* its kind */
	int cpu;	/* the CPU of the window; if it is not this CPU, a watcher saw the end */
	enum sample_state state;	/* of a hardirq window, or if a check has ended it */
	unsigned int nr_samples;	/* how many were taken; at least 1 if @kind is nosched */
	u64 end_ns;		/* CLOCK_MONOTONIC */
	u64 latency_ns;		/* lower bound of its length */
	u64 max_ns;		/* upper bound, unless the begin was unseen */
	u64 steal_ns;		/* record_steal() at its begin */
	u64 paused_ns;		/* see struct window */
	struct window *window;	/* has the samples */
	const struct interrupts *interrupts;	/* taken at its begin; NULL: not known */
};

/**
 * record_add() - make a record; without a stack at the end unless this CPU saw the end
 *
 * Context: hardirq, or softirq with interrupts off.
 */
void record_add(const struct ended_window *ended);

/* Windows of one kind on all CPUs since load */
struct record_counts {
	u64 windows;	/* their number; their records may be kept, overwritten or lost */
	u64 latency_ns;	/* sum of their lower bounds */
	/* of these, the windows of which the host took at least half */
	u64 stolen;
	u64 stolen_latency_ns;	/* sum of their lower bounds */
	u64 paused;		/* windows with the state STATE_PAUSED or STATE_IRQ_ON */
	u64 paused_latency_ns;	/* sum of their lower bounds */
};

/** record_count() - count the windows of a kind. Context: any. */
void record_count(enum window_kind kind, struct record_counts *sum);

#endif /* TRACE_IRQOFF_RECORD_H */
