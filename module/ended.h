/* SPDX-License-Identifier: GPL-2.0 */
/* A window that has ended becomes a record. */
#ifndef TRACE_IRQOFF_ENDED_H
#define TRACE_IRQOFF_ENDED_H

#include <linux/kernel_stat.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "sample.h"

struct pt_regs;
struct window;

/**
 * ended_steal() - stolen time on this CPU that the kernel has accounted so far
 *
 * Context: interrupts off.
 */
static inline u64 ended_steal(void)
{
	return kcpustat_this_cpu->cpustat[CPUTIME_STEAL];
}

/** ended_steal_of() - likewise, of another CPU. Context: any. */
static inline u64 ended_steal_of(int cpu)
{
	return READ_ONCE(kcpustat_cpu(cpu).cpustat[CPUTIME_STEAL]);
}

/* This CPU has records that stolen time may still be added to. */
DECLARE_PER_CPU(bool, ended_unsettled);

/**
 * ended_settle() - what the kernel accounted since a record was made goes there
 * @window: a window has just come in between: it may belong to that one
 *
 * Context: interrupts off.
 */
void ended_settle(bool window);

/** ended_tick() - likewise, on each hard tick. */
static inline void ended_tick(bool window)
{
	if (unlikely(__this_cpu_read(ended_unsettled)))
		ended_settle(window);
}

/**
 * ended_record() - record a window that is over
 * @kind: which
 * @now: its end, CLOCK_MONOTONIC
 * @latency_ns: it lasted at least this long
 * @max_ns: and at most this long, when its beginning was seen
 * @steal_ns: what ended_steal() said when it began
 * @window: the looks into it
 * @regs: of the context that its end interrupted; NULL in softirq
 *
 * Context: hardirq, or softirq with interrupts off.
 */
void ended_record(enum window_kind kind, u64 now, u64 latency_ns, u64 max_ns,
		  u64 steal_ns, const struct window *window,
		  struct pt_regs *regs);

/**
 * struct ended_counts - the windows of one kind since the module was loaded
 * @windows: how many, whether their record is still there, was overwritten, or got no slot
 * @latency_ns: how long at least, in all
 */
struct ended_counts {
	u64 windows;
	u64 latency_ns;
};

/** ended_count() - of all CPUs. Context: any. */
void ended_count(enum window_kind kind, struct ended_counts *sum);

#endif /* TRACE_IRQOFF_ENDED_H */
