/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Watchers: CPUs that check other CPUs. */
#ifndef TRACE_IRQOFF_WATCH_H
#define TRACE_IRQOFF_WATCH_H

#include <linux/types.h>

void watch_init(void);

/** watch_enable() - watchers may start. Context: process, while no CPU is monitored. */
void watch_enable(void);

/**
 * watch_add() - a CPU is to be monitored from @now (CLOCK_MONOTONIC) on
 *
 * Watchers check the CPU even before it starts to tick. Context: interrupts off.
 */
void watch_add(int cpu, u64 now);

/** watch_remove() - a CPU is not monitored any more. Context: interrupts off. */
void watch_remove(int cpu);

/** watch_cancel() - after watch_remove(): cancel the watch timer of a CPU. Context: process. */
void watch_cancel(int cpu);

/**
 * watch_start() - this CPU has started to tick, or has got an IPI of cpus.c
 *
 * It may become a watcher. A watcher, or a CPU alone, starts its timers. Context: interrupts off.
 */
void watch_start(void);

/* No watcher has checked for a while: a tick at or after this time does. CLOCK_MONOTONIC. */
extern u64 watch_due_ns;

/**
 * watch_check() - check other CPUs, and replace watchers
 * @now: CLOCK_MONOTONIC
 * @late_ns: how late the tick is, or the watcher's timer
 *
 * Context: hardirq.
 */
void watch_check(u64 now, u64 late_ns);

#endif /* TRACE_IRQOFF_WATCH_H */
