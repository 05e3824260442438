/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Checks whether the CPUs of a group are stuck. */
#ifndef TRACE_IRQOFF_CHECK_H
#define TRACE_IRQOFF_CHECK_H

#include <linux/types.h>

struct group;

/**
 * struct check_found - what a check has found; a mask has a bit for each position in the group
 * @ended: windows that have ended, and will have a record
 * @open: open windows to announce
 * @busy: this CPU or one of the group is busy
 * @now: when the check began, CLOCK_MONOTONIC
 */
struct check_found {
	u64 now;
	unsigned long ended;
	unsigned long open;
	bool busy;
};

/**
 * check_cpus() - check all CPUs of a group
 * @late_ns: how late the tick or timer is that runs this
 *
 * Context: hardirq, with the lock of @group. The caller then unlocks, and calls check_finish().
 */
struct check_found check_cpus(struct group *group, u64 late_ns);

/** check_finish() - make records and fire trace events. Context: hardirq, without the lock. */
void check_finish(struct group *group, const struct check_found *found);

/**
 * check_add() - check @cpu from @now (CLOCK_MONOTONIC) on, even before it starts to tick
 *
 * Context: interrupts off, with the lock of its group. One caller at a time, of all groups.
 */
void check_add(int cpu, u64 now);

/** check_remove() - do not check a CPU any more. Context: as check_add(). */
void check_remove(int cpu);

/** check_is_alone() - Return: whether fewer than two CPUs are checked in all. Any context. */
bool check_is_alone(void);

#endif /* TRACE_IRQOFF_CHECK_H */
