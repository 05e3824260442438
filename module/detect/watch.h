/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Watchers: CPUs that check whether other CPUs are stuck. */
#ifndef TRACE_IRQOFF_WATCH_H
#define TRACE_IRQOFF_WATCH_H

#include <linux/types.h>

void watch_init(void);

/** watch_enable() - choose new watchers. Context: process, while no CPU is monitored. */
void watch_enable(void);

/** watch_add() - check a CPU from @now (CLOCK_MONOTONIC) on. Context: interrupts off. */
void watch_add(int cpu, u64 now);

/** watch_remove() - do not check a CPU any more. Context: interrupts off. */
void watch_remove(int cpu);

/** watch_cancel() - after watch_remove(): cancel the watch timer of a CPU. Context: process. */
void watch_cancel(int cpu);

/**
 * watch_start() - this CPU has started to tick, or has taken an IPI of cpus.c
 *
 * Becomes a watcher if one is missing. Starts the timer of a watcher, and our own timer of a CPU
 * that is monitored alone. Context: interrupts off.
 */
void watch_start(void);

/* If no watcher has checked by this time (CLOCK_MONOTONIC), the next tick checks. */
extern u64 watch_due_ns;

/** watch_check() - check other CPUs, in a tick or timer that is @late_ns late. Context: hardirq. */
void watch_check(u64 now, u64 late_ns);

#endif /* TRACE_IRQOFF_WATCH_H */
