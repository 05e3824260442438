/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Ticks from the scheduler's tick. */
#ifndef TRACE_IRQOFF_TICK_SCHED_H
#define TRACE_IRQOFF_TICK_SCHED_H

#include <linux/types.h>

/**
 * tick_sched_init() - start to look for the scheduler's tick
 *
 * Waits for no CPU: a work item registers the probe later. Context: process.
 */
void tick_sched_init(void);

/** tick_sched_exit() - no probe runs any more. Waits for all CPUs. Context: process. */
void tick_sched_exit(void);

/** tick_sched_known() - Return: whether the scheduler's tick has been found. Any context. */
bool tick_sched_known(void);

/** tick_sched_state() - Return: NULL if it has been found, or why not. Context: any. */
const char *tick_sched_state(void);

#endif /* TRACE_IRQOFF_TICK_SCHED_H */
