/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/*
 * Checks other CPUs. Watchers call these functions (watch.c), with interrupts off, one at a time
 * unless they say otherwise.
 */
#ifndef TRACE_IRQOFF_CHECK_H
#define TRACE_IRQOFF_CHECK_H

#include <linux/types.h>

/**
 * check_cpus() - check the next CPUs, a limited number of them
 * @now: CLOCK_MONOTONIC
 * @late_ns: how late the tick or timer is that runs this
 * @self: this CPU
 *
 * Return: whether one of these CPUs is busy, or this CPU.
 */
bool check_cpus(u64 now, u64 late_ns, int self);

/** check_add() - @cpu is monitored from @now on, even before it starts to tick. */
void check_add(int cpu, u64 now);

/** check_remove() - a CPU is not monitored any more. */
void check_remove(int cpu);

/** check_was_idle() - Return: whether the last check found a CPU idle. */
bool check_was_idle(int cpu);

/** check_next() - Return: the monitored CPU after @cpu, in a circle; none: at least nr_cpu_ids. */
int check_next(int cpu);

/** check_is_alone() - Return: whether fewer than two CPUs are monitored. Any context. */
bool check_is_alone(void);

/** check_unsampled() - Return: windows on idle CPUs that ended without a sample. Any context. */
u64 check_unsampled(void);

#endif /* TRACE_IRQOFF_CHECK_H */
