/* SPDX-License-Identifier: GPL-2.0 */
/* Since when a CPU has been awake. */
#ifndef TRACE_IRQOFF_AWAKE_H
#define TRACE_IRQOFF_AWAKE_H

#include <linux/compiler.h>
#include <linux/hrtimer.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/time64.h>
#include <linux/timex.h>
#include <linux/types.h>

#include "compat.h"

/**
 * struct awake - one CPU
 * @turns: changes when it goes idle and when it wakes: odd while it is idle. Other CPUs
 *	read it
 * @woke: get_cycles() when it last woke, 0 when it has not since it is monitored
 * @timers: the kernel's timers of this CPU
 * @expires: the first of them, when it last went idle. CLOCK_MONOTONIC; KTIME_MAX when that
 *	is over
 * @interrupts: how many of its timers it had taken by then
 * @first: the first of CLOCK_MONOTONIC by then. Only to be compared, it may be gone
 * @late: get_cycles() when it is long after that
 * @then_ns: CLOCK_MONOTONIC, when get_cycles() was @then
 * @switches: how often its idle task had been left for another one by then
 * @rests_until: get_cycles() up to which nothing need be done when it wakes for work
 * @unseen: how often interrupts and softirqs on an idle CPU took as long as the threshold
 * @seen: get_cycles() of the last record
 * @near: ticker_ends_near() is to be called when it goes idle
 *
 * By that CPU alone, unless it says otherwise.
 */
struct awake {
	unsigned int turns;
	bool near;
	cycles_t woke;
	const struct hrtimer_cpu_base *timers;
	ktime_t expires;
	unsigned int interrupts;
	const void *first;
	cycles_t late;
	u64 then_ns;
	cycles_t then;
	unsigned long switches;
	cycles_t rests_until;
	u64 unseen;
	cycles_t seen;
};

DECLARE_PER_CPU(struct awake, awakes);

/*
 * See awake_is_early(). Clocks and timers of a CPU are not the same: one that slept for a second
 * may be some microseconds early.
 */
#define AWAKE_EARLY_NS		(100 * NSEC_PER_USEC)
#define AWAKE_NOT_YET_NS	(100 * NSEC_PER_USEC)

/*
 * CPUs say when they go idle and wake. Otherwise all are taken to be awake, and have been so
 * since nobody knows when.
 */
extern bool awake_known;

/* The threshold in cycles: whoever was awake for longer had work to do, or was kept from it. */
extern cycles_t awake_long;

/*
 * Cycles for 1 << AWAKE_SHIFT nanoseconds; 0 where there is no counter. So coarse that a product
 * of some hours is no more than 64 bits, and no coarser: counters of arm64 may be as slow as 1 MHz.
 */
#define AWAKE_SHIFT	16
extern u64 awake_mult;

/** awake_prepare() - the threshold has been set. Context: process. */
void awake_prepare(u64 threshold_ns);

/**
 * awake_start() - this CPU is monitored from now on
 * @timer: one that is on, and pinned
 *
 * Context: interrupts off.
 */
void awake_start(const struct hrtimer *timer);

/**
 * awake_init() - get ready. Context: process, before all others.
 *
 * Return: whether it can be known when CPUs wake.
 */
bool awake_init(void);

/** awake_was_long() - Return: whether this CPU was awake for so long that it may be a window. */
static __always_inline bool awake_was_long(void)
{
	return get_cycles() - this_cpu_read(awakes.woke) > READ_ONCE(awake_long);
}

/* The first timer of a clock, to be compared only: others may change it meanwhile. */
static __always_inline const void *
awake_first(const struct hrtimer_clock_base *clock)
{
	return READ_ONCE(clock->active.rb_root.rb_leftmost);
}

static __always_inline const void *
awake_first_mono(const struct hrtimer_cpu_base *timers)
{
	return awake_first(&timers->clock_base[HRTIMER_BASE_MONOTONIC]);
}

/** awake_goes_idle() - this CPU goes idle. Context: idle task, interrupts off. */
static __always_inline void awake_goes_idle(void)
{
	struct awake *a = this_cpu_ptr(&awakes);

	a->expires = a->timers->expires_next;
	a->interrupts = compat_timer_interrupts(a->timers);
	a->first = awake_first_mono(a->timers);
	a->late = a->then + READ_ONCE(awake_long) +
		  ((a->expires - a->then_ns) * READ_ONCE(awake_mult) >> AWAKE_SHIFT);
	WRITE_ONCE(a->turns, a->turns | 1);
}

/** awake_wakes() - this CPU wakes. Context: idle task, preemption off. */
static __always_inline void awake_wakes(void)
{
	struct awake *a = this_cpu_ptr(&awakes);

	WRITE_ONCE(a->woke, get_cycles());
	a->switches = current->nivcsw;
	WRITE_ONCE(a->turns, (a->turns | 1) + 1);
}

/**
 * awake_is_idle() - Return: whether this CPU has not left its idle task since it went idle
 *
 * The idle task is also there for a moment before. Context: hardirq in the idle task.
 */
static __always_inline bool awake_is_idle(void)
{
	return this_cpu_read(awakes.turns) & 1 ||
	       this_cpu_read(awakes.switches) == current->nivcsw;
}

/** awake_was_late() - Return: whether it woke so late that it may be a window. Likewise. */
static __always_inline bool awake_was_late(void)
{
	return (s64)(this_cpu_read(awakes.woke) - this_cpu_read(awakes.late)) > 0;
}

/**
 * awake_check_long() - count it, if it was a window and no task ran. Context: as
 * awake_goes_idle().
 */
void awake_check_long(void);

/** awake_check_late() - count it, if it was one. Context: as awake_wakes(). */
void awake_check_late(void);

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
 * awake_is_first() - Return: whether this is the first timer interrupt since then, which is the one
 * for that timer, however late. Context: likewise.
 */
static inline bool awake_is_first(void)
{
	const struct awake *a = this_cpu_ptr(&awakes);

	return compat_timer_interrupts(a->timers) == a->interrupts + 1;
}

/**
 * awake_is_early() - may the timer that this CPU was to wake for not have run yet?
 * @now: CLOCK_MONOTONIC
 *
 * An interrupt that is early finds that it has not expired yet, runs what has, and comes again.
 * Who runs first may be a bit later than the timer's time all the same. One that is left to a
 * softirq has run, as far as interrupts go: with PREEMPT_RT most are, and no softirq is pending
 * for it, but a thread is woken.
 *
 * Return: true also when it has run, and is the first one again. Context: as above.
 */
static __always_inline bool awake_is_early(u64 now)
{
	const struct awake *a = this_cpu_ptr(&awakes);

	return now - ktime_to_ns(a->expires) + AWAKE_EARLY_NS <
			AWAKE_EARLY_NS + AWAKE_NOT_YET_NS &&
	       a->first == awake_first_mono(a->timers) &&
	       !a->timers->softirq_activated;
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

/**
 * awake_rest_ns() - awake_rested() is to say no for so long; 0: it is to say yes
 *
 * Context: any, on that CPU, preemption off.
 */
void awake_rest_ns(u64 ns);

/** awake_rested() - Return: whether that has passed. Context: right after awake_wakes(). */
static inline bool awake_rested(void)
{
	return (s64)(this_cpu_read(awakes.woke) -
		     this_cpu_read(awakes.rests_until)) >= 0;
}

/** awake_note_time() - it is @now. Context: interrupts off, on that CPU. */
static inline void awake_note_time(u64 now)
{
	this_cpu_write(awakes.then_ns, now);
	this_cpu_write(awakes.then, get_cycles());
}

/** awake_is_over() - what this CPU was to wake for is over. Context: hardirq. */
static inline void awake_is_over(void)
{
	__this_cpu_write(awakes.expires, KTIME_MAX);
}

/** awake_note_seen() - a record is made. Context: as below. */
static inline void awake_note_seen(void)
{
	this_cpu_write(awakes.seen, get_cycles());
}

/** awake_count_unseen() - there was one. Context: interrupts off, on that CPU. */
static inline void awake_count_unseen(void)
{
	struct awake *a = this_cpu_ptr(&awakes);

	WRITE_ONCE(a->unseen, a->unseen + 1);
}

/** awake_unseen() - Return: the sum of @unseen. Context: any. */
u64 awake_unseen(void);

#endif /* TRACE_IRQOFF_AWAKE_H */
