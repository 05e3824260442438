/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Ticks from a timer of our own, where the scheduler's tick does not do. */
#ifndef TRACE_IRQOFF_TICK_TIMER_H
#define TRACE_IRQOFF_TICK_TIMER_H

#include <linux/types.h>

void tick_timer_init(void);

/**
 * tick_timer_start() - start the timer of this CPU
 * @due_ns: its first tick, CLOCK_MONOTONIC; may have passed
 *
 * Context: interrupts off.
 */
void tick_timer_start(u64 due_ns);

/** tick_timer_unpark() - this CPU is not idle any more. Context: hardirq. */
void tick_timer_unpark(void);

/** tick_timer_cancel() - stop the timer of a CPU. Waits for its callback. Context: process. */
void tick_timer_cancel(int cpu);

/** tick_timer_runs() - Return: whether the timer of a CPU is on. Context: any. */
bool tick_timer_runs(int cpu);

#endif /* TRACE_IRQOFF_TICK_TIMER_H */
