/* SPDX-License-Identifier: GPL-2.0 */
/* How many interrupts and softirqs a CPU has taken: the kernel's own counters. */
#ifndef TRACE_IRQOFF_COUNTS_H
#define TRACE_IRQOFF_COUNTS_H

#include <linux/interrupt.h>
#include <linux/kernel_stat.h>
#include <linux/string.h>

/**
 * struct counts - since boot, or from one moment to another
 * @irqs: interrupts with a number in /proc/interrupts. On x86 these are the devices', on
 *	arm64 the timer's and those of other CPUs too
 * @softirqs: how often the handler of each vector was called
 *
 * What each interrupt number has is not exported.
 */
struct counts {
	unsigned long irqs;
	unsigned int softirqs[NR_SOFTIRQS];
};

/** counts_take() - of this CPU, now. Context: hardirq. */
static inline void counts_take(struct counts *counts)
{
	const struct kernel_stat *stat = kstat_this_cpu;

	counts->irqs = stat->irqs_sum;
	memcpy(counts->softirqs, stat->softirqs, sizeof(counts->softirqs));
}

/** counts_between() - what came from one moment to a later one. They may have wrapped. */
static inline void counts_between(struct counts *counts,
				  const struct counts *from,
				  const struct counts *to)
{
	int i;

	counts->irqs = to->irqs - from->irqs;
	for (i = 0; i < NR_SOFTIRQS; i++)
		counts->softirqs[i] = to->softirqs[i] - from->softirqs[i];
}

#endif /* TRACE_IRQOFF_COUNTS_H */
