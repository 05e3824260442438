/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Makes records of windows that have ended. */
#ifndef TRACE_IRQOFF_RECORD_H
#define TRACE_IRQOFF_RECORD_H

#include <linux/kernel_stat.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "record/sample.h"

struct interrupts;
struct pt_regs;
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

/**
 * struct ended_window - a window that has ended
 * @kind: its kind
 * @cpu: the CPU of the window; if it is not this CPU, a watcher saw the end
 * @state: of a hardirq window, or of a window that a check has ended
 * @end_ns: CLOCK_MONOTONIC
 * @latency_ns: lower bound of its length
 * @max_ns: upper bound, unless the begin was unseen
 * @steal_ns: record_steal() at its begin
 * @paused_ns: see struct window
 * @window: has the samples
 * @nr_samples: how many were taken; at least 1 if @kind is nosched
 * @regs: registers of the context that the end interrupted; NULL: none
 * @interrupts: those of this CPU at its begin; NULL: not known
 */
struct ended_window {
	enum window_kind kind;
	int cpu;
	enum sample_state state;
	u64 end_ns;
	u64 latency_ns;
	u64 max_ns;
	u64 steal_ns;
	u64 paused_ns;
	struct window *window;
	unsigned int nr_samples;
	struct pt_regs *regs;
	const struct interrupts *interrupts;
};

/**
 * record_add() - make a record; without a stack at the end unless this CPU saw the end
 *
 * Context: hardirq, or softirq with interrupts off.
 */
void record_add(const struct ended_window *ended);

/**
 * struct record_counts - windows of one kind on all CPUs since load
 * @windows: their number; their records may be kept, overwritten or lost
 * @latency_ns: sum of their lower bounds
 * @stolen: windows in which the host did not run the virtual CPU for at least half of the time
 * @stolen_latency_ns: sum of their lower bounds
 * @paused: windows with the state STATE_PAUSED or STATE_IRQ_ON
 * @paused_latency_ns: sum of their lower bounds
 */
struct record_counts {
	u64 windows;
	u64 latency_ns;
	u64 stolen;
	u64 stolen_latency_ns;
	u64 paused;
	u64 paused_latency_ns;
};

/** record_count() - count the windows of a kind. Context: any. */
void record_count(enum window_kind kind, struct record_counts *sum);

#endif /* TRACE_IRQOFF_RECORD_H */
