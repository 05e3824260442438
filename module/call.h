/* SPDX-License-Identifier: GPL-2.0 */
/* Calls another CPU, and does not wait for it. */
#ifndef TRACE_IRQOFF_CALL_H
#define TRACE_IRQOFF_CALL_H

#include <linux/bits.h>
#include <linux/types.h>

/* Why a CPU is called. */
#define CALL_START	BIT(0)	/* it is to be monitored */
#define CALL_WATCH	BIT(1)	/* it is to watch the others */
#define CALL_OVERDUE	BIT(2)	/* its tick is overdue: does it take interrupts? */

/**
 * call_init() - get ready
 * @answer: runs on the CPU that was called, interrupts off: in hardirq, or in the idle task
 *	of one that polls. @why: all reasons since the last answer. @at_ns: when the first of
 *	these calls was made, CLOCK_MONOTONIC
 */
int call_init(void (*answer)(unsigned int why, u64 at_ns));

/** call_exit() - wait until each CPU that was called has answered. No more calls are made. */
void call_exit(void);

/**
 * call_cpu() - have a CPU run what call_init() was told
 *
 * When it has been called and has not answered yet, no other interrupt is sent: its answer
 * includes this reason. An offline CPU is not called.
 *
 * Context: any but NMI, preemption off. It is a full barrier.
 */
void call_cpu(int cpu, unsigned int why, u64 now);

/** call_pending() - Return: whether a CPU was called and has not answered yet. */
bool call_pending(int cpu);

#endif /* TRACE_IRQOFF_CALL_H */
