/* SPDX-License-Identifier: GPL-2.0 */
/* The two timers by which a monitored CPU ticks, of which one is on. */
#ifndef TRACE_IRQOFF_TICKER_H
#define TRACE_IRQOFF_TICKER_H

#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/spinlock.h>
#include <linux/timekeeping.h>
#include <linux/types.h>

#include "ended.h"
#include "overdue.h"
#include "settings.h"
#include "watch.h"
#include "window.h"

/**
 * struct ticker - one CPU
 * @own: fires when it is due, whatever the CPU does. First: each tick converts one to the other
 * @lock: protects @running and which timer is on; taken with interrupts off, and by a tick
 *	only when it is free
 * @running: the CPU is monitored: its timer has been started and not been stopped since
 * @rides: the riding timer is on, and not the CPU's own
 * @checks: the own timer is on as well, to find out whether the riding one comes
 * @anew: the next time the riding timer is set anew, not moved on
 * @phase_ns: when in a sampling period the own timer fires
 * @ride: fires with the first timer interrupt after it is due
 * @window: open from @due_ns on
 * @due_ns: the next tick does not come later than this, if the CPU takes interrupts
 * @ran_ns: the last tick
 * @steal_ns: stolen time that had been accounted at the last tick
 * @alone_ns: up to then ticks do not ride
 *
 * All times are CLOCK_MONOTONIC.
 */
struct ticker {
	struct hrtimer own;
	raw_spinlock_t lock;
	bool running;
	bool rides;
	bool checks;
	bool anew;
	u64 phase_ns;

	struct hrtimer ride;
	struct window *window;
	u64 due_ns;
	u64 ran_ns;
	u64 steal_ns;
	u64 alone_ns;
};

extern struct ticker __percpu *tickers;

int ticker_init(void);
void ticker_exit(void);

/**
 * ticker_start() - ticks begin on this CPU
 * @told_ns: it was told to take its first tick then, and by now has missed it; or 0
 *
 * Context: on that CPU, interrupts off, with the lock.
 */
void ticker_start(struct ticker *t, u64 now, u64 told_ns);

/**
 * ticker_stop() - no more ticks on a CPU
 *
 * @running is false already. Context: process. Waits for a tick that runs right now.
 */
void ticker_stop(struct ticker *t);

/* So long ticks do not ride where something kept them from it. */
#define TICKER_ALONE_NS	(60 * NSEC_PER_SEC)

/** ticker_stays_alone() - ticks do not ride on this CPU for a while. Context: hardirq. */
static inline void ticker_stays_alone(struct ticker *t, u64 now)
{
	t->alone_ns = max(t->alone_ns, now + TICKER_ALONE_NS);
}

/**
 * ticker_to_own() - this CPU, which rides, ticks by its own timer from now on
 * @latest_ns: when it would have ticked else
 * @follow: softirqs follow on this interrupt, on a CPU that was idle
 *
 * Context: a tick, or a call. Return: false when ticks are being stopped.
 */
bool ticker_to_own(struct ticker *t, u64 now, u64 latest_ns, bool follow);

/** ticker_to_ride() - the other way. Context: its own tick. Return: likewise. */
bool ticker_to_ride(struct ticker *t, u64 now);

/** ticker_set_ride() - the riding timer fires from @soft_ns on. Context: its tick. */
void ticker_set_ride(struct ticker *t, u64 soft_ns);

/** ticker_next_ride() - Return: that; on a CPU that rests for a short period, at any time. */
static __always_inline u64 ticker_next_ride(u64 now)
{
	return settings.grace_ns ? now + settings.period_ns - TICK_NSEC / 2 : now;
}

/** ticker_expect_ride() - the tick comes by it, no later than that. Interrupts off. */
static __always_inline void ticker_expect_ride(struct ticker *t, u64 soft_ns)
{
	t->due_ns = soft_ns + TICK_NSEC;
	window_open(t->window, t->due_ns, overdue_missed_ns);
}

/** ticker_ran() - a tick has run. Context: interrupts off. */
static __always_inline void ticker_ran(struct ticker *t, u64 now)
{
	t->ran_ns = now;
	t->steal_ns = ended_steal();
}

/** ticker_tai() - Return: when that is, by the clock that ticks ride by. Context: any. */
static inline ktime_t ticker_tai(u64 ns)
{
	return ktime_mono_to_any(ns_to_ktime(ns), TK_OFFS_TAI);
}

/** ticker_is_running() - Return: whether this CPU is monitored. Preemption off. */
static inline bool ticker_is_running(void)
{
	return READ_ONCE(this_cpu_ptr(tickers)->running);
}

/** ticker_first() - Return: when, after @now, a CPU is to take its first tick. */
u64 ticker_first(const struct ticker *t, u64 now);

/**
 * ticker_ends_near() - the softirqs of this CPU are over: it goes idle again, or to a task
 *
 * Called if @near of struct awake says so. Context: idle task, preemption off.
 */
void ticker_ends_near(void);

/**
 * ticker_wakes() - this CPU wakes for work
 *
 * Called if awake_rested() says so. Context: idle task, preemption off.
 */
void ticker_wakes(void);

/** ticker_watches() - this CPU is to watch the others. Context: hardirq. */
void ticker_watches(u64 now);

/**
 * ticker_overdue() - this CPU was called as its tick was overdue
 * @at_ns: when it was called
 *
 * Context: hardirq.
 */
void ticker_overdue(u64 now, u64 at_ns);

#endif /* TRACE_IRQOFF_TICKER_H */
