// SPDX-License-Identifier: GPL-2.0
/*
 * What the tick of a monitored CPU does.
 *
 * It runs in hardirq context once a sampling period. If it comes later than it could, the
 * CPU could not take its timer interrupt: at least for so long, since interrupts may have
 * gone off before, but not before the previous tick ran, or the CPU woke. These are the
 * two bounds of a hardirq window. Each tick also looks whether softirqs run (softirqs.c),
 * and whether there is a watcher (watch.c).
 *
 * Of the two timers that it may come by (ticker.c), each has a function here. It also decides
 * by which of them the next tick comes.
 *
 * Context: hardirq, on that CPU.
 */
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <asm/irq_regs.h>

#include "awake.h"
#include "ended.h"
#include "histogram.h"
#include "late.h"
#include "overdue.h"
#include "sample.h"
#include "settings.h"
#include "softirqs.h"
#include "tick.h"
#include "ticker.h"
#include "watch.h"
#include "window.h"

/* Softirqs run on this CPU, or will do when this interrupt is over. */
static noinline bool softirqs_at_hand(void)
{
	return local_softirq_pending() || softirq_count() ||
	       softirqs_window(smp_processor_id())->began_ns;
}

/* The CPU could not take its tick for a period and more. Inlined, a tick would save registers. */
static noinline void missed(struct ticker *t, u64 now, u64 late_ns)
{
	if (late_ns >= READ_ONCE(settings.threshold_ns))
		ended_record(WINDOW_HARDIRQ, now, late_ns,
			     now - max(t->ran_ns, awake_not_before(now)),
			     t->steal_ns, t->window, get_irq_regs());
	WRITE_ONCE(t->window->begin_unseen, false);
	watch_was_stuck(now);
}

static __always_inline void tick(struct ticker *t, u64 now, u64 late_ns)
{
	u64 period_ns = settings.period_ns;

	window_close(t->window);
	ended_tick(late_ns >= period_ns);
	if (likely(!late_ns)) {
		histogram_on_time();
	} else {
		histogram_add(WINDOW_HARDIRQ, late_ns, period_ns);
		if (unlikely(late_ns >= period_ns))
			missed(t, now, late_ns);
	}
	softirqs_tick(now, late_ns, t->ran_ns);
	ticker_ran(t, now);
}

/* May ticks ride on this CPU? */
static __always_inline bool may_ride(const struct ticker *t, u64 now)
{
	return READ_ONCE(awake_known) && now >= t->alone_ns &&
	       !watch_is_mine();
}

/* Does this CPU, whose tick has just run, need its own timer? A busy one by a short period does. */
static __always_inline bool needs_own(const struct ticker *t, u64 now, bool idle)
{
	return (!idle && !settings.grace_ns) || !may_ride(t, now) ||
	       (idle && softirqs_at_hand());
}

/*
 * ticker_overdue() asks whether the riding tick comes at all. Return: whether it has not, though
 * interrupts are on. Then it is late for nothing, and this CPU does not ride for a while.
 */
static noinline bool is_blocked(struct ticker *t, u64 now)
{
	if (!t->checks)
		return false;
	t->checks = false;
	t->rides = false;
	t->due_ns = now;
	ticker_stays_alone(t, now);
	return true;
}

enum hrtimer_restart own_tick(struct hrtimer *timer)
{
	struct ticker *t = container_of(timer, struct ticker, own);
	u64 now = ktime_get_ns();
	u64 late_ns, period_ns;
	bool idle;

	if (unlikely(t->rides) && !is_blocked(t, now))
		return HRTIMER_NORESTART;
	late_ns = late_tick(t, now);
	tick(t, now, late_ns);
	/* Only now, as what is kept while others are called has to be saved before. */
	idle = sample_idle_task();
	watch_tick(now, late_ns, idle);
	period_ns = settings.period_ns;

	if (!needs_own(t, now, idle) && ticker_to_ride(t, now))
		return HRTIMER_NORESTART;
	if (likely(late_ns < period_ns))
		hrtimer_add_expires_ns(timer, period_ns);
	else
		hrtimer_forward(timer, ns_to_ktime(now), ns_to_ktime(period_ns));
	t->due_ns = ktime_to_ns(hrtimer_get_expires(timer));
	window_open(t->window, t->due_ns, overdue_missed_ns);
	return HRTIMER_RESTART;
}

/*
 * Move the riding timer on. Its clock is converted only when it came too early or too late for
 * that which it had been set to: somebody has set the clock.
 */
static __always_inline void ride_on(struct ticker *t, u64 now)
{
	u64 due_ns = ticker_next_ride(now) + TICK_NSEC;

	if (likely(now - t->due_ns + TICK_NSEC < TICK_NSEC && !t->anew))
		hrtimer_add_expires_ns(&t->ride, due_ns - t->due_ns);
	else
		ticker_set_ride(t, due_ns - TICK_NSEC);
	ticker_expect_ride(t, due_ns - TICK_NSEC);
}

enum hrtimer_restart ride_tick(struct hrtimer *timer)
{
	struct ticker *t = container_of(timer, struct ticker, ride);
	u64 now = ktime_get_ns();
	bool idle = sample_idle_task();
	u64 late_ns;

	/* It was left behind when the CPU's own was started. */
	if (!t->rides)
		return HRTIMER_NORESTART;
	t->checks = false;

	/*
	 * Come again after it, to see how long that took and what softirqs it leaves. Before it
	 * all was well. If there are softirqs already, it has run.
	 */
	if (idle && unlikely(awake_is_early(now)) && !softirqs_at_hand()) {
		if (softirqs_free())
			ticker_ran(t, now);
		watch_tick(now, 0, idle);
		if (watch_is_mine() && ticker_to_own(t, now, t->due_ns, false))
			return HRTIMER_NORESTART;
		ticker_set_ride(t, now);
		/* Not at due_ns. */
		t->anew = true;
		return HRTIMER_RESTART;
	}

	late_ns = late_tick(t, now);
	tick(t, now, late_ns);
	watch_tick(now, late_ns, idle);

	if (unlikely(needs_own(t, now, idle)) &&
	    ticker_to_own(t, now, now + settings.period_ns,
			  idle && softirqs_at_hand() && !watch_is_mine()))
		return HRTIMER_NORESTART;
	ride_on(t, now);
	return HRTIMER_RESTART;
}
