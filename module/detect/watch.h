/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/*
 * Watchers (watch.c): CPUs that check (check.c) whether the other CPUs of their group are stuck. A
 * group has CPUs of one NUMA node.
 */
#ifndef TRACE_IRQOFF_WATCH_H
#define TRACE_IRQOFF_WATCH_H

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

/*
 * CPUs of one NUMA node. A mask has a bit for each position in @cpus. Times are CLOCK_MONOTONIC.
 * Ticks read @silent_from_ns, and each check writes it once. Checks also write @lock to @watchers.
 * The last three members never change. Each of these parts has cache lines of its own.
 */
struct group {
	u64 silent_from_ns;	/* from then on the next tick of a CPU in the group checks */

	/* Serializes checks; protects the next part, and struct check_cpu of the CPUs. */
	raw_spinlock_t lock ____cacheline_aligned_in_smp;
	bool was_blind;		/* the last check was late, and opened no window */
	unsigned long checked;	/* mask of the CPUs to check; read without the lock, too */
	unsigned long idle;	/* mask of the CPUs that the last check found idle */
	u64 begin_ns;		/* the last check, before it read the state of the CPUs */
	u64 end_ns;		/* the last check, after it had read the state */
	u64 complete_ns;	/* @begin_ns of the last check that skipped no CPU */
	u64 prev_complete_ns;	/* @begin_ns of the one before */
	u64 busy_until_ns;	/* from then on the watchers are slow */
	unsigned int last_chosen;	/* position of the CPU that became a watcher last */
	struct watcher watchers[NR_WATCHERS];	/* read without the lock, too */

	struct group *next ____cacheline_aligned_in_smp;	/* the groups form a circle */
	unsigned int nr_cpus;	/* online or not */
	int cpus[GROUP_CPUS];
};

/* One check of a group. */
struct check {
	struct group *group;	/* to check */
	u64 now;		/* when the check began, CLOCK_MONOTONIC */
	unsigned long ended;	/* mask of the windows that have ended, and will have a record */
	unsigned long open;	/* mask of the open windows to announce */
	bool busy;		/* a CPU of the group is busy */
	bool blind;		/* opens no window */
	bool partial;		/* skipped a CPU */
	unsigned int nr_nmis;	/* that the check has sent */
};

/**
 * check_cpus() - check all CPUs of a group
 * @check: is filled in
 * @late_ns: how late the tick or timer is that runs this
 *
 * Context: hardirq, with the lock of @group. The caller then unlocks, and calls check_finish().
 */
void check_cpus(struct check *check, struct group *group, u64 late_ns);

/** check_finish() - make records and fire trace events. Context: hardirq, without the lock. */
void check_finish(const struct check *check);

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

/**
 * check_steal_ns() - Return: record_steal() at the first check that found @cpu stuck, for its open
 * window or an earlier one. Any context.
 */
u64 check_steal_ns(int cpu);

/**
 * check_was_idle_since() - from 6.0 on: has this CPU been idle since the last check of it?
 *
 * Then an open window is over, and the next check ends it. Context: hardirq or NMI.
 */
bool check_was_idle_since(void);

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
 * Also checks the groups that have one monitored CPU, and the group that has been silent longest;
 * and ends the nosched window of this CPU, if it is idle.
 *
 * Context: hardirq.
 */
void watch_check(u64 now, u64 late_ns);

/*
 * IPIs (ipi.c), for which nothing waits. @handler is what a CPU does when it takes one, in hardirq;
 * ipi_init() is to be called first. ipi_send() sends none to a CPU that is offline, and needs
 * preemption off. ipi_exit() waits until no IPI is on its way or being handled. Context: process.
 */
void ipi_init(void (*handler)(void));
void ipi_send(int cpu);

/** ipi_is_pending() - Return: whether an IPI to this CPU waits. Context: any. */
bool ipi_is_pending(void);
void ipi_exit(void);

#endif /* TRACE_IRQOFF_WATCH_H */
