// SPDX-License-Identifier: GPL-2.0
/*
 * By which of its two timers a monitored CPU ticks (tick.c).
 *
 * An interrupt for a tick alone costs more than the tick. So when the period is a scheduler
 * tick or more, ours **rides** on it. An hrtimer may be given a range: from its soft
 * expiry on it runs with any timer interrupt that comes, and at the hard one it has an
 * interrupt of its own. Half a scheduler tick before the one that it is to ride on is the soft
 * expiry; there is no hard one, but on a CPU that is on guard (guard.c). The scheduler's tick
 * comes as long as the CPU is busy:
 *
 *	scheduler's tick   |      |      |      |      |      |      |
 *	ours               x                    x                    x
 *	soft expiry                         ^                    ^
 *	due at the latest                          ^                    ^
 *
 * On an idle CPU it stands still, so nothing wakes that for us, and the governor that
 * chooses how deep it sleeps sees no timer. (A clock event device that cannot be set so far
 * ahead comes as late as it can: one without deadline mode wakes the CPU every second or
 * so.) When the CPU wakes, the scheduler's tick goes on within a tick, and ours with it.
 *
 * A timer waits behind those of its own clock that have an earlier hard expiry. CLOCK_TAI is
 * the clock that hardly anybody uses. If somebody does, or sets the clock back, ticks do not
 * come though interrupts are on. Then the watcher calls the CPU, which answers at once, is
 * found to be late for nothing, and does not ride for a while. A CPU that is monitored alone is
 * called by nobody, so it believes no late tick as long as there is another timer of that clock;
 * one that has fired by then, and is not set again, goes unnoticed.
 *
 * For shorter periods, for the watcher, for CPUs that the scheduler's tick leaves alone
 * (nohz_full), and as long as nobody knows who is idle, there is a timer of its **own**. An
 * idle CPU that need not watch lets it be, and rides; until, awake, it has done so once, or if
 * the threshold is short, until it wakes for work.
 *
 * Softirqs that run for long on a CPU that was idle have no scheduler's tick beneath them. But
 * the timer interrupt that woke the CPU runs the riding tick, too: when it finds that
 * softirqs are to follow, the own timer is started until the CPU is idle again.
 *
 * What belongs to a CPU is written by that CPU alone, with interrupts off. Only stopping comes
 * from elsewhere; a tick that is to start the other timer must not cross it. For that
 * there is a lock, which no tick ever waits for: who holds it is about to stop all this.
 *
 * Context: with each function in ticker.h.
 */
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/sched/isolation.h>
#include <linux/timekeeping.h>

#include "awake.h"
#include "compat.h"
#include "guard.h"
#include "late.h"
#include "overdue.h"
#include "sample.h"
#include "settings.h"
#include "softirqs.h"
#include "tick.h"
#include "ticker.h"
#include "watch.h"
#include "window.h"

/* No hard expiry: longer than any host is up, and a sum with the time of day fits. */
#define NEVER_NS	(30ULL * 365 * 24 * 3600 * NSEC_PER_SEC)

/*
 * So late the first tick comes beneath softirqs of an idle CPU. When they are over before it, the
 * kernel chooses how to sleep before anybody tells us: a timer within a scheduler tick would
 * keep that tick on, which would bring the next softirqs, and so on for good.
 */
#define NEAR_NS		(2ULL * TICK_NSEC)

/* So soon a tick comes that only waits for this CPU to take interrupts. */
#define CHECK_NS	(100 * NSEC_PER_USEC)

struct ticker __percpu *tickers;

/* On a grid that all CPUs share, each at its place, within one period. */
u64 ticker_first(const struct ticker *t, u64 now)
{
	u64 into_ns, first;

	div64_u64_rem(now, settings.period_ns, &into_ns);
	first = now - into_ns + t->phase_ns;
	return first > now ? first : first + settings.period_ns;
}

/* With the lock. A window may be open since @due_ns, and stays so. */
static void arm_own(struct ticker *t, u64 due_ns, u64 expires_ns)
{
	t->rides = false;
	t->due_ns = due_ns;
	hrtimer_start(&t->own, ns_to_ktime(expires_ns),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

/* With the lock. */
static void start_own(struct ticker *t, u64 expires_ns)
{
	window_close(t->window);
	window_open(t->window, expires_ns, overdue_missed_ns);
	arm_own(t, expires_ns, expires_ns);
}

/* Is a CPU that wakes for work to tick by its own timer, and not to ride before? */
static bool own_at_once(void)
{
	return READ_ONCE(settings.first_ns) < TICK_NSEC;
}

/* How much later than its soft expiry the riding timer has an interrupt of its own. */
static u64 ride_range_ns(struct ticker *t)
{
	/* Whether it is on guard is looked at each time. */
	t->anew = guard_is_mine();
	return t->anew ? guard_sleeps_ns : NEVER_NS;
}

/* With the lock. */
static void start_ride(struct ticker *t, u64 now)
{
	u64 soft_ns = ticker_next_ride(now);

	t->rides = true;
	if (own_at_once())
		awake_rest_ns(0);
	window_close(t->window);
	ticker_expect_ride(t, soft_ns);
	hrtimer_start_range_ns(&t->ride, ticker_tai(soft_ns), ride_range_ns(t),
			       HRTIMER_MODE_ABS_PINNED_HARD);
}

bool ticker_to_own(struct ticker *t, u64 now, u64 latest_ns, bool follow)
{
	u64 first = min(ticker_first(t, now), max(latest_ns, now));

	if (follow) {
		/* What is longer than the threshold has to be seen. */
		first = now + min(NEAR_NS, READ_ONCE(settings.threshold_ns));
		/* That is late for a task. */
		if (!settings.grace_ns)
			awake_rest_ns(0);
	}
	if (!raw_spin_trylock(&t->lock))
		return false;
	if (t->running) {
		this_cpu_write(awakes.near, follow);
		start_own(t, first);
		/* It would be late to tell since when softirqs run. */
		if (first > now + settings.period_ns)
			softirqs_follow(now);
	}
	raw_spin_unlock(&t->lock);
	return true;
}

bool ticker_to_ride(struct ticker *t, u64 now)
{
	if (!raw_spin_trylock(&t->lock))
		return false;
	this_cpu_write(awakes.near, false);
	if (t->running)
		start_ride(t, now);
	raw_spin_unlock(&t->lock);
	return true;
}

void ticker_set_ride(struct ticker *t, u64 soft_ns)
{
	hrtimer_set_expires_range_ns(&t->ride, ticker_tai(soft_ns), ride_range_ns(t));
}

void ticker_start(struct ticker *t, u64 now, u64 told_ns)
{
	ticker_ran(t, now);
	t->checks = false;
	this_cpu_write(awakes.near, false);
	t->alone_ns = housekeeping_test_cpu(smp_processor_id(), COMPAT_HK_TICK) ?
			0 : U64_MAX;
	if (told_ns)
		arm_own(t, told_ns, told_ns);
	else
		start_own(t, ticker_first(t, now));
}

void ticker_stop(struct ticker *t)
{
	hrtimer_cancel(&t->ride);
	hrtimer_cancel(&t->own);
}

void ticker_ends_near(void)
{
	struct ticker *t = this_cpu_ptr(tickers);
	unsigned long flags;

	raw_spin_lock_irqsave(&t->lock, flags);
	this_cpu_write(awakes.near, false);
	/* No tick can be running: this CPU is idle. */
	if (t->running && !t->rides && !watch_is_mine()) {
		start_ride(t, ktime_get_ns());
		hrtimer_try_to_cancel(&t->own);
	}
	raw_spin_unlock_irqrestore(&t->lock, flags);
}

/* It is to fire later than any that was ever set. */
static bool was_set_back(const struct ticker *t, u64 now)
{
	return hrtimer_get_softexpires(&t->ride) >
	       ticker_tai(now + settings.period_ns + TICK_NSEC);
}

void ticker_wakes(void)
{
	struct ticker *t = this_cpu_ptr(tickers);
	unsigned long flags;
	u64 now, rest_ns;

	if (!ticker_is_running()) {
		awake_rest_ns(NSEC_PER_SEC);
		return;
	}
	now = ktime_get_ns();
	rest_ns = watch_woke(now);
	if (own_at_once())
		rest_ns = 0;
	/* Softirqs are over. */
	if (!settings.grace_ns && this_cpu_read(awakes.near))
		ticker_ends_near();
	if (READ_ONCE(t->rides) && (own_at_once() || was_set_back(t, now))) {
		raw_spin_lock_irqsave(&t->lock, flags);
		/* Not if it was stopped, or started anew, meanwhile. */
		if (t->running && t->rides && own_at_once())
			start_own(t, ticker_first(t, now));
		else if (t->running && t->rides)
			start_ride(t, now);
		raw_spin_unlock_irqrestore(&t->lock, flags);
	}
	awake_rest_ns(rest_ns);
}

void ticker_watches(u64 now)
{
	struct ticker *t = this_cpu_ptr(tickers);

	/* Its own may be on, then it ticks. */
	if (watch_called(now) && t->rides)
		ticker_to_own(t, now, t->due_ns, false);
}

void ticker_overdue(u64 now, u64 at_ns)
{
	struct ticker *t = this_cpu_ptr(tickers);
	bool idle = sample_idle_task();
	u64 due_ns;

	raw_spin_lock(&t->lock);
	/* One that has ticked since, as in the interrupt that kept it from answering, is not. */
	if (!t->running || t->ran_ns >= at_ns)
		goto unlock;
	this_cpu_write(awakes.near, idle);
	if (t->rides && now - at_ns < overdue_missed_ns) {
		/* Its interrupts were on. */
		if (idle) {
			start_own(t, now);
		} else {
			/* Or came on just now, and the tick comes next: see is_blocked(). */
			t->checks = true;
			hrtimer_start(&t->own, ns_to_ktime(now + CHECK_NS),
				      HRTIMER_MODE_ABS_PINNED_HARD);
		}
	} else {
		/* The window is still open, and its tick comes now. */
		due_ns = now - late_tick(t, now);
		/* A clock that was set since makes it less late than when it was called. */
		arm_own(t, idle ? due_ns : min(due_ns, at_ns), now);
	}
unlock:
	raw_spin_unlock(&t->lock);
}

int ticker_init(void)
{
	int cpu;

	tickers = alloc_percpu(struct ticker);
	if (!tickers)
		return -ENOMEM;

	for_each_possible_cpu(cpu) {
		struct ticker *t = per_cpu_ptr(tickers, cpu);

		raw_spin_lock_init(&t->lock);
		t->window = ask_window(cpu);
		compat_hrtimer_setup(&t->own, own_tick, CLOCK_MONOTONIC,
				     HRTIMER_MODE_ABS_PINNED_HARD);
		compat_hrtimer_setup(&t->ride, ride_tick, CLOCK_TAI,
				     HRTIMER_MODE_ABS_PINNED_HARD);
	}
	return 0;
}

void ticker_exit(void)
{
	free_percpu(tickers);
}
