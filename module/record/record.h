/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* A window that has ended becomes a record. */
#ifndef TRACE_IRQOFF_RECORD_H
#define TRACE_IRQOFF_RECORD_H

#include <linux/kernel_stat.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "record/sample.h"

struct pt_regs;
struct window;

/** record_steal() - Return: stolen ns of a CPU that the kernel has accounted. Context: any. */
static inline u64 record_steal(int cpu)
{
	return READ_ONCE(kcpustat_cpu(cpu).cpustat[CPUTIME_STEAL]);
}

/* This CPU has records to which stolen time may still be added. */
DECLARE_PER_CPU(bool, record_unsettled);

/**
 * record_settle() - add the stolen time that the kernel has accounted since the last record
 * @late: the tick was late: that time may belong to the next window
 *
 * The kernel accounts stolen time on its own tick, which may come after ours.
 * Context: a tick, if record_unsettled is set.
 */
void record_settle(bool late);

/**
 * struct ended - a window that has ended, as the CPU saw it that saw the end
 * @kind: hardirq or softirq
 * @cpu: the CPU of the window
 * @end_ns: CLOCK_MONOTONIC
 * @latency_ns: lower bound of its length
 * @max_ns: upper bound, if its begin was seen
 * @steal_ns: record_steal() at its begin
 * @window: has the samples
 * @nr_samples: how many were taken; at least 1 if @cpu is another CPU
 * @regs: of the context that the end interrupted; NULL: there is none
 */
struct ended {
	enum window_kind kind;
	int cpu;
	u64 end_ns;
	u64 latency_ns;
	u64 max_ns;
	u64 steal_ns;
	const struct window *window;
	unsigned int nr_samples;
	struct pt_regs *regs;
};

/**
 * record_add() - make a record
 *
 * If @cpu is another CPU, a watcher saw the end, and the record has no end stack.
 * Context: hardirq, or softirq with interrupts off.
 */
void record_add(const struct ended *ended);

/**
 * struct record_counts - the windows of one kind since the module was loaded
 * @windows: their number, whether their record is kept, was overwritten, or got no slot
 * @latency_ns: the sum of their lower bounds
 */
struct record_counts {
	u64 windows;
	u64 latency_ns;
};

/** record_count() - of all CPUs. Context: any. */
void record_count(enum window_kind kind, struct record_counts *sum);

#endif /* TRACE_IRQOFF_RECORD_H */
