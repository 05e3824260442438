/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Checks whether CPUs are stuck. Context: with watch_lock of watch.c, unless stated otherwise. */
#ifndef TRACE_IRQOFF_CHECK_H
#define TRACE_IRQOFF_CHECK_H

#include <linux/types.h>

/**
 * check_cpus() - check the next CPUs, at most 64
 * @late_ns: how late the tick or timer is that runs this
 * @self: this CPU
 *
 * Return: whether this CPU or one of the checked CPUs is busy.
 */
bool check_cpus(u64 late_ns, int self);

/** check_add() - check @cpu from @now (CLOCK_MONOTONIC) on, even before it starts to tick. */
void check_add(int cpu, u64 now);

/** check_remove() - do not check a CPU any more. */
void check_remove(int cpu);

/** check_was_idle() - Return: whether the last check found a CPU idle. Any context. */
bool check_was_idle(int cpu);

/** check_next() - Return: the checked CPU after @cpu, in a circle; nr_cpu_ids or more: none. */
int check_next(int cpu);

/** check_is_alone() - Return: whether fewer than two CPUs are checked. Any context. */
bool check_is_alone(void);

#endif /* TRACE_IRQOFF_CHECK_H */
