/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Groups of CPUs. The CPUs of a group check each other (watch.c, check.c). Context: process. */
#ifndef TRACE_IRQOFF_GROUP_H
#define TRACE_IRQOFF_GROUP_H

#include <linux/cache.h>
#include <linux/spinlock.h>
#include <linux/types.h>

/* CPUs in a group, at most 64. One check covers a group. Tests build the module with fewer. */
#ifndef GROUP_CPUS
#define GROUP_CPUS	64
#endif

#define NR_WATCHERS	2
#define NO_CPU		(-1)

/* A CPU that checks its group, or NO_CPU; when its next check is due. */
struct watcher {
	int cpu;
	u64 due_ns;
};

/**
 * struct group - CPUs of one NUMA node
 * @silent_ns: if no watcher has checked by this time, the next tick of a CPU in the group checks
 * @lock: serializes checks; protects the members up to @watchers, and struct check_cpu of the CPUs
 * @checked: mask of the CPUs to check, by their positions in @cpus; read without the lock, too
 * @idle: mask of the CPUs that the last check found idle
 * @was_blind: the last check was late, and opened no window
 * @begin_ns: the last check, before it read the state of the CPUs
 * @end_ns: the last check, after it had read the state
 * @previous_ns: @begin_ns of the check before the last one
 * @busy_until_ns: from then on the watchers are slow
 * @last_chosen: position of the CPU that became a watcher last
 * @watchers: read without the lock, too
 * @next: the groups form a circle
 * @nr_cpus: number of CPUs in the group, online or not
 * @cpus: the CPUs
 *
 * Times are CLOCK_MONOTONIC. Each tick reads @silent_ns, each check writes the members after
 * @lock, and the last three never change: so each part has cache lines of its own.
 */
struct group {
	u64 silent_ns;

	raw_spinlock_t lock ____cacheline_aligned_in_smp;
	bool was_blind;
	unsigned long checked;
	unsigned long idle;
	u64 begin_ns;
	u64 end_ns;
	u64 previous_ns;
	u64 busy_until_ns;
	unsigned int last_chosen;
	struct watcher watchers[NR_WATCHERS];

	struct group *next ____cacheline_aligned_in_smp;
	unsigned int nr_cpus;
	int cpus[GROUP_CPUS];
};

/** group_init() - divide all possible CPUs into groups. Return: 0 or -ENOMEM. */
int group_init(void);

/** group_exit() - free the groups. */
void group_exit(void);

/** group_of_first() - Return: the group in which @cpu is the first CPU, or NULL. Any context. */
struct group *group_of_first(int cpu);

#endif /* TRACE_IRQOFF_GROUP_H */
