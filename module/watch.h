/* SPDX-License-Identifier: GPL-2.0 */
/* One CPU watches whether all others take their ticks. */
#ifndef TRACE_IRQOFF_WATCH_H
#define TRACE_IRQOFF_WATCH_H

#include <linux/compiler.h>
#include <linux/smp.h>
#include <linux/types.h>

#include "ask.h"
#include "awake.h"

/**
 * watch_phase() - when in a period a CPU is to tick by a timer of its own
 * @rank: its number among the monitored CPUs
 *
 * Return: an offset below the period. They are spread over it evenly, however many there are.
 */
u64 watch_phase(unsigned int rank);

/**
 * watch_prepare() - the sampling period is set
 * @nr: CPUs that are to be monitored, if they are online
 *
 * Context: no CPU is monitored.
 */
void watch_prepare(unsigned int nr);

/** watch_over() - no CPU is monitored any more. Context: process. */
void watch_over(void);

/** watch_start() - the ticks of this CPU begin. Context: interrupts off, on that CPU. */
void watch_start(void);

/** watch_stop() - nobody watches a CPU any more. Any context. */
void watch_stop(int cpu);

/*
 * The CPU that watches, below 0 when there is none; and when a tick of any CPU is to look, as the
 * watcher, or who looked in its place, has not ticked for long.
 */
extern int watch_cpu;
extern u64 watch_look_ns;

/* More than one CPU is to be monitored. Changes only while none is. */
extern bool watch_possible;

/*
 * A watcher was needed, and no CPU was idle: the next one that goes idle is to watch. Likewise
 * when tracing begins, as a CPU may be stuck since before.
 */
extern bool watch_wanted;

/** watch_is_wanted() - Return: whether this CPU, which goes idle, is to watch. */
static inline bool watch_is_wanted(void)
{
	return READ_ONCE(watch_wanted);
}

/** watch_is_lost() - Return: whether a tick is to look that no watcher's is. Any context. */
static inline bool watch_is_lost(u64 now)
{
	/* Signed: the watcher may have ticked after our tick began. */
	return (s64)(now - READ_ONCE(watch_look_ns)) > 0;
}

void watch_tick_slowly(u64 now, u64 late_ns, bool idle);

/**
 * watch_tick() - a tick of this CPU has run
 * @now: CLOCK_MONOTONIC
 * @late_ns: by how much it was late
 * @idle: it found the CPU idle
 *
 * Context: hardirq.
 */
static inline void watch_tick(u64 now, u64 late_ns, bool idle)
{
	if (unlikely(READ_ONCE(watch_cpu) == smp_processor_id() || watch_is_lost(now)))
		watch_tick_slowly(now, late_ns, idle);
}

/**
 * watch_woke() - this CPU leaves idle, as there is work to do
 *
 * Context: idle task, preemption off. Return: for how long, in ns, it need not be called again.
 */
u64 watch_woke(u64 now);

/**
 * watch_was_stuck() - this CPU took no tick for a period and more
 *
 * When it wakes the next times, it may call for a watcher. Context: hardirq.
 */
void watch_was_stuck(u64 now);

/**
 * watch_called() - this CPU was called to watch the others, or is wanted to
 *
 * Context: hardirq, or the idle task with interrupts off. Return: whether it does so from now
 * on. It then needs ticks of its own.
 */
bool watch_called(u64 now);

/** watch_is_possible() - Return: whether more than one CPU is to be monitored. Context: any. */
static inline bool watch_is_possible(void)
{
	return READ_ONCE(watch_possible);
}

/** watch_is_mine() - Return: whether this CPU is the one that watches. Preemption off. */
static inline bool watch_is_mine(void)
{
	return READ_ONCE(watch_cpu) == smp_processor_id();
}

/**
 * watch_look_since() - overdue_since(), for who looks now and then: when nobody watches it may
 * return 0 the first time. Context: any but NMI.
 */
u64 watch_look_since(int cpu, u64 now);

#endif /* TRACE_IRQOFF_WATCH_H */
