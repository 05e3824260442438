/* SPDX-License-Identifier: GPL-2.0 */
/* The account of a CPU that is parked: has anything happened that nobody saw? */
#ifndef TRACE_IRQOFF_REST_H
#define TRACE_IRQOFF_REST_H

#include <linux/types.h>

/**
 * rest_begin() - this CPU wants to be parked
 * @now: CLOCK_MONOTONIC
 *
 * Context: idle task, interrupts off. Return: false when it had better not.
 */
bool rest_begin(u64 now);

/**
 * rest_end() - it is parked no longer
 * @now: CLOCK_MONOTONIC
 * @interrupt: this is in an interrupt that wakes it
 *
 * Context: interrupts off, on that CPU.
 */
void rest_end(u64 now, bool interrupt);

/**
 * rest_late() - Return: whether an interrupt that woke this CPU had run already when it was
 * known to be awake. So it was the last time. Context: on that CPU, preemption off.
 */
bool rest_late(void);

/**
 * rest_unseen() - Return: how often what woke a parked CPU took as long as the
 * threshold, before its ticks could begin.
 */
u64 rest_unseen(void);

#endif /* TRACE_IRQOFF_REST_H */
