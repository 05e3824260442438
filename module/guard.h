/* SPDX-License-Identifier: GPL-2.0 */
/* While nobody watches, an idle CPU wakes now and then to see whether somebody should. */
#ifndef TRACE_IRQOFF_GUARD_H
#define TRACE_IRQOFF_GUARD_H

#include <linux/types.h>

/* Instead of the number of a CPU. */
#define NOBODY	(-1)

/* So long it sleeps. Changes only while no CPU is monitored. */
extern u64 guard_sleeps_ns;

/**
 * guard_prepare() - nobody is on guard
 * @nr: CPUs that are to be monitored, if they are online
 * @least_ns: what guard_sleeps_ns is at least
 *
 * Context: no CPU is monitored.
 */
void guard_prepare(unsigned int nr, u64 least_ns);

/** guard_is_mine() - Return: whether this CPU is on guard. Preemption off. */
bool guard_is_mine(void);

/**
 * guard_call() - is this CPU to call another one to watch, as no other is on guard?
 *
 * Return: true for one of those that ask; then not again before it is clear that it was in
 * vain. Context: preemption off.
 */
bool guard_call(u64 now);

/**
 * guard_begin() - this CPU watches no more: it is on guard, unless others are
 * @turns: as below
 *
 * Context: hardirq, that CPU is idle.
 */
void guard_begin(u64 now, unsigned int turns);

/**
 * guard_look() - all others sleep
 * @turns: changes when one of them has been awake in between
 *
 * If this CPU is on guard and none has, it is on guard no more. Context: likewise.
 */
void guard_look(u64 now, unsigned int turns);

/** guard_end() - a CPU is monitored no more. Context: any. */
void guard_end(int cpu);

#endif /* TRACE_IRQOFF_GUARD_H */
