/* SPDX-License-Identifier: GPL-2.0 */
/* CPUs that have missed their tick. */
#ifndef TRACE_IRQOFF_OVERDUE_H
#define TRACE_IRQOFF_OVERDUE_H

#include <linux/cpumask.h>
#include <linux/types.h>

/* A tick that is so late has been missed. Changes only while no CPU is monitored. */
extern u64 overdue_missed_ns;

/*
 * CPUs that are monitored or have been told to begin. Read with data_race(): one that joins or
 * leaves meanwhile is seen or is not, and either will do.
 */
extern struct cpumask overdue_members;

/** overdue_next_member() - Return: the one after @cpu, round and round; nr_cpu_ids if none. */
int overdue_next_member(int cpu);

/** overdue_prepare() - the sampling period is set. Context: no CPU is monitored. */
void overdue_prepare(void);

/**
 * overdue_told() - a CPU is told to begin: if it does not, that is a window
 * @cpu: the CPU, of which no tick can be running
 * @next_ns: when its first tick is due
 *
 * Context: any; overdue_start() and overdue_stop() for that CPU come later.
 */
void overdue_told(int cpu, u64 next_ns);

/** overdue_start() - the ticks of this CPU begin. Context: interrupts off, on that CPU. */
void overdue_start(void);

/** overdue_stop() - nobody looks after a CPU any more. Any context. */
void overdue_stop(int cpu);

/** overdue_stopped() - its last tick has run. Context: process. */
void overdue_stopped(int cpu);

/**
 * overdue_since() - since when a CPU's tick has been overdue, as far as others know
 * @cpu: one that is monitored
 *
 * Return: CLOCK_MONOTONIC, not before its interrupts went off if they are off; may lie
 * ahead; 0 when it is idle or in a tick. Context: any.
 */
u64 overdue_since(int cpu);

/** overdue_note() - remember since when a CPU has been awake or idle. Context: any but NMI. */
void overdue_note(int cpu, u64 now);

/**
 * overdue_look() - call all that are overdue, and ask some of them for a look
 * @due_ns: when the tick that looks was due. If it is late, it may be the host that was stopped,
 *	and then all are: what came after that is not held against them.
 * @self: the CPU that it runs on, which is left out
 *
 * Context: hardirq. Return: whether any CPU is overdue.
 */
bool overdue_look(u64 now, u64 due_ns, int self);

#endif /* TRACE_IRQOFF_OVERDUE_H */
