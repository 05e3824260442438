/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Counts the interrupts and softirqs that a CPU takes. */
#ifndef TRACE_IRQOFF_INTERRUPTS_H
#define TRACE_IRQOFF_INTERRUPTS_H

#include <linux/interrupt.h>
#include <linux/kernel_stat.h>
#include <linux/string.h>
#include <linux/types.h>

/**
 * struct interrupts - numbers of interrupts and softirqs
 * @irqs: those with a number in /proc/interrupts; on arm64 IPIs, too
 * @softirqs: of each vector
 */
struct interrupts {
	unsigned long irqs;
	unsigned int softirqs[NR_SOFTIRQS];
};

/** interrupts_read() - read what this CPU has taken since boot. Context: any, interrupts off. */
static inline void interrupts_read(struct interrupts *interrupts)
{
	const struct kernel_stat *stat = this_cpu_ptr(&kstat);

	interrupts->irqs = stat->irqs_sum;
	memcpy(interrupts->softirqs, stat->softirqs, sizeof(interrupts->softirqs));
}

/** interrupts_read_since() - read what this CPU has taken since @begin. Context: as above. */
static inline void interrupts_read_since(struct interrupts *interrupts,
					 const struct interrupts *begin)
{
	int i;

	interrupts_read(interrupts);
	interrupts->irqs -= begin->irqs;
	for (i = 0; i < NR_SOFTIRQS; i++)
		interrupts->softirqs[i] -= begin->softirqs[i];
}

#endif /* TRACE_IRQOFF_INTERRUPTS_H */
