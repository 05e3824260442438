// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Ticks from a pinned, hard hrtimer of our own. A CPU has this timer
 *
 *   - for its first tick, and until the scheduler's tick is found (tick_sched.c);
 *   - if the scheduler's tick cannot be found (a name that we do not know, highres=off);
 *   - if the sampling period is shorter than a scheduler tick;
 *   - if the CPU may be busy without a scheduler tick (nohz_full);
 *   - if it is the only monitored CPU, as no watcher checks it while it is idle.
 *
 *	state    expires                      left when                            to
 *	running  after one period             the tick interrupts the idle task    parked
 *	                                      no reason above holds                off
 *	parked   from one period on with any  a scheduler tick finds the CPU busy  running
 *	         timer interrupt, at the latest
 *	         after one second
 *
 * Only a short sampling period parks its timer: its CPU has scheduler ticks as well.
 *
 * Context: see tick.h; the callback runs in hardirq.
 */
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/sched/isolation.h>

#include "compat.h"
#include "detect/tick.h"
#include "detect/check.h"
#include "record/sample.h"
#include "settings.h"

#define PARKED_NS	NSEC_PER_SEC

/**
 * struct tick_timer - one CPU
 * @timer: see above
 * @on: the timer is queued, or its callback runs
 * @parked: see above
 */
struct tick_timer {
	struct hrtimer timer;
	bool on;
	bool parked;
};

static DEFINE_PER_CPU(struct tick_timer, tick_timers);

/* On the CPU itself: which source ticks from now on? Return: whether the timer is needed. */
static bool choose_source(struct tick_cpu *c)
{
	bool nohz_full = !housekeeping_test_cpu(smp_processor_id(), COMPAT_HK_TICK);
	bool use_sched = !tick_sched_state() && !nohz_full;
	bool alone = check_is_alone();
	bool short_period = settings.timer_ns < TICK_NSEC;

	WRITE_ONCE(c->interval_ns, use_sched ? TICK_NSEC : settings.timer_ns + hrtimer_resolution);
	c->sched = !use_sched ? TICK_SCHED_OFF :
		   short_period && !alone ? TICK_SCHED_UNPARKS : TICK_SCHED_TICKS;
	return !use_sched || short_period || alone;
}

static enum hrtimer_restart tick_timer_fn(struct hrtimer *timer)
{
	struct tick_timer *t = container_of(timer, struct tick_timer, timer);
	struct tick_cpu *c = this_cpu_ptr(&tick_cpus);
	u64 due_ns = ktime_to_ns(hrtimer_get_expires(timer)), now;

	/* Stopped, or this CPU went offline and the timer was moved here. */
	if (!READ_ONCE(c->running) || t != this_cpu_ptr(&tick_timers))
		goto off;

	now = ktime_get_ns();
	/*
	 * A parked timer is never late. Without high resolution timers (highres=off) a timer runs
	 * in the first jiffy after its expiry.
	 */
	tick(now, t->parked ? now : due_ns + hrtimer_resolution, 0);

	if (!choose_source(c))
		goto off;
	t->parked = c->sched == TICK_SCHED_UNPARKS && sample_idle_task();
	if (t->parked) {
		hrtimer_set_expires_range_ns(timer, ns_to_ktime(now + settings.timer_ns),
					     PARKED_NS);
		return HRTIMER_RESTART;
	}
	hrtimer_set_expires(timer, ns_to_ktime(due_ns));
	hrtimer_forward(timer, ns_to_ktime(now), ns_to_ktime(settings.timer_ns));
	return HRTIMER_RESTART;
off:
	WRITE_ONCE(t->on, false);
	return HRTIMER_NORESTART;
}

void tick_timer_start(u64 due_ns)
{
	struct tick_timer *t = this_cpu_ptr(&tick_timers);

	t->parked = false;
	WRITE_ONCE(t->on, true);
	hrtimer_start(&t->timer, ns_to_ktime(due_ns), HRTIMER_MODE_ABS_PINNED_HARD);
}

void tick_timer_unpark(void)
{
	if (this_cpu_read(tick_timers.parked))
		tick_timer_start(ktime_get_ns() + settings.timer_ns);
}

void tick_timer_cancel(int cpu)
{
	struct tick_timer *t = per_cpu_ptr(&tick_timers, cpu);

	hrtimer_cancel(&t->timer);
	WRITE_ONCE(t->on, false);
}

bool tick_timer_runs(int cpu)
{
	return READ_ONCE(per_cpu(tick_timers, cpu).on);
}

void tick_timer_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		compat_hrtimer_setup(&per_cpu(tick_timers, cpu).timer, tick_timer_fn,
				     CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
}
