/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Watchers: CPUs that check whether the other CPUs of their group are stuck. */
#ifndef TRACE_IRQOFF_WATCH_H
#define TRACE_IRQOFF_WATCH_H

#include <linux/types.h>

/**
 * watch_init() - divide all possible CPUs into groups
 *
 * Context: process. Return: 0, or -ENOMEM: then call watch_exit().
 */
int watch_init(void);

/** watch_exit() - free the groups. Context: process. */
void watch_exit(void);

extern unsigned int watch_nr_groups;	/* does not change after load */

/** watch_add() - check a CPU from @now (CLOCK_MONOTONIC) on. Context: interrupts off. */
void watch_add(int cpu, u64 now);

/** watch_remove() - do not check a CPU any more. Context: interrupts off. */
void watch_remove(int cpu);

/** watch_cancel() - after watch_remove(): cancel the watch timer of a CPU. Context: process. */
void watch_cancel(int cpu);

/**
 * watch_start() - this CPU has started to tick, or has taken an IPI
 *
 * Becomes a watcher of its group if one is missing. Starts the timer of a watcher. @now:
 * CLOCK_MONOTONIC. Context: interrupts off.
 */
void watch_start(u64 now);

/**
 * watch_check() - check the other CPUs of this group, in a tick or timer that is @late_ns late
 *
 * Context: hardirq.
 */
void watch_check(u64 now, u64 late_ns);

#endif /* TRACE_IRQOFF_WATCH_H */
