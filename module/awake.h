/* SPDX-License-Identifier: GPL-2.0 */
/* Since when a CPU has been awake. */
#ifndef TRACE_IRQOFF_AWAKE_H
#define TRACE_IRQOFF_AWAKE_H

#include <linux/compiler.h>
#include <linux/hrtimer.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/timex.h>
#include <linux/types.h>

/**
 * struct awake - one CPU
 * @turns: changes when it goes idle and when it wakes: odd while it is idle. Other CPUs
 *	read it
 * @woke: get_cycles() when it last woke, 0 when it has not since it is monitored
 * @timers: the kernel's timers of this CPU
 * @expires: the first of them, when it last went idle. CLOCK_MONOTONIC
 * @switches: how often its idle task had been left for another one by then
 * @rests_until: get_cycles() up to which awake_rested() says no
 * @unseen: how often interrupts and softirqs on an idle CPU took as long as the threshold
 * @monitored: it is; whoever stops that says so
 * @near: ticker_ends_near() is to be called when it goes idle
 * @resting: ticker_wakes() is to be called when it wakes for work
 *
 * By that CPU alone, unless it says otherwise.
 */
struct awake {
	unsigned int turns;
	bool monitored;
	bool near;
	bool resting;
	cycles_t woke;
	const struct hrtimer_cpu_base *timers;
	ktime_t expires;
	unsigned long switches;
	cycles_t rests_until;
	u64 unseen;
};

DECLARE_PER_CPU(struct awake, awakes);

/*
 * CPUs say when they go idle and wake. Otherwise all are taken to be awake, and have been so
 * since nobody knows when.
 */
extern bool awake_known;

/* Whoever was awake for longer had work to do, or was kept by interrupts. */
extern cycles_t awake_long;

/** awake_prepare() - the threshold has been set. Context: process. */
void awake_prepare(u64 threshold_ns);

/**
 * awake_start() - this CPU is monitored from now on
 * @timer: one that is on, and pinned
 *
 * Context: interrupts off.
 */
void awake_start(const struct hrtimer *timer);

/** awake_init() - get ready. Context: process, before all others. */
void awake_init(void);

/* This CPU was awake for so long that it might have been a window. */
void awake_was_long(void);

/** awake_goes_idle() - this CPU goes idle. Context: idle task, interrupts off. */
static inline void awake_goes_idle(void)
{
	if (unlikely(get_cycles() - this_cpu_read(awakes.woke) >
		     READ_ONCE(awake_long)))
		awake_was_long();
	this_cpu_write(awakes.expires, this_cpu_read(awakes.timers)->expires_next);
	this_cpu_or(awakes.turns, 1);
}

/** awake_wakes() - this CPU wakes. Context: idle task, preemption off. */
static inline void awake_wakes(void)
{
	this_cpu_write(awakes.woke, get_cycles());
	this_cpu_write(awakes.switches, current->nivcsw);
	this_cpu_or(awakes.turns, 1);
	this_cpu_inc(awakes.turns);
}

/**
 * awake_turns() - Return: a number that is odd while a CPU is idle, and not the same when it
 * has been idle in between. Context: any.
 */
static inline unsigned int awake_turns(int cpu)
{
	return READ_ONCE(per_cpu(awakes, cpu).turns);
}

/**
 * awake_expires() - which timer this CPU was to wake for
 *
 * Return: CLOCK_MONOTONIC, KTIME_MAX when there was none. Context: hardirq that interrupted
 * the idle task.
 */
static inline ktime_t awake_expires(void)
{
	return this_cpu_read(awakes.expires);
}

/**
 * awake_since() - since when this CPU has been awake
 * @now: CLOCK_MONOTONIC
 *
 * Return: a time that is not before it woke; 0 when that is not known. Context: any with
 * interrupts off, NMI too, not idle.
 */
u64 awake_since(u64 now);

/** awake_not_before() - likewise, but a time that is not after it woke. */
u64 awake_not_before(u64 now);

/** awake_rest_ns() - awake_rested() is to say no for so long. Context: that of awake_wakes(). */
void awake_rest_ns(u64 ns);

/** awake_rested() - Return: whether that has passed. Context: likewise, right after that. */
static inline bool awake_rested(void)
{
	return (s64)(this_cpu_read(awakes.woke) -
		     this_cpu_read(awakes.rests_until)) >= 0;
}

/** awake_unseen() - Return: the sum of @unseen. Context: any. */
u64 awake_unseen(void);

#endif /* TRACE_IRQOFF_AWAKE_H */
