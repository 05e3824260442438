// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Ticks with a pinned, hard hrtimer of our own. Context: see tick.h; the callback runs in hardirq.
 *
 *	state    expires       to       when
 *	off      never         running  the CPU starts, or is alone; or TICK_SCHED_STARTS_TIMER
 *	running  each period   off      the scheduler's tick is enough
 */
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/sched/isolation.h>

#include "compat.h"
#include "detect/tick.h"
#include "detect/watch.h"
#include "record/sample.h"
#include "settings.h"

static DEFINE_PER_CPU(struct hrtimer, tick_timers);

/*
 * Choose the sources of this CPU's ticks. Our timer is needed while the scheduler's tick has not
 * been found; on a nohz_full CPU, whose tick may stop while it is busy; while the CPU is busy, if
 * the period is shorter than a scheduler tick; and on the only monitored CPU, which no watcher
 * checks while it is idle.
 * Return: whether our timer is needed.
 */
static bool tick_timer_choose_source(struct tick_cpu *c)
{
	bool nohz_full = !housekeeping_test_cpu(smp_processor_id(), COMPAT_HK_TICK);
	bool use_sched = !READ_ONCE(tick_sched_missing) && !nohz_full;
	bool alone = check_is_alone();
	bool short_period = READ_ONCE(settings.timer_ns) < TICK_NSEC;

	WRITE_ONCE(c->interval_ns, use_sched ? TICK_NSEC :
		   READ_ONCE(settings.timer_ns) + hrtimer_resolution);
	c->sched = !use_sched ? TICK_SCHED_OFF :
		   short_period && !alone ? TICK_SCHED_STARTS_TIMER : TICK_SCHED_TICKS;
	return !use_sched || alone || (short_period && !sample_idle_task());
}

static enum hrtimer_restart tick_timer_fn(struct hrtimer *timer)
{
	struct tick_cpu *c = this_cpu_ptr(&tick_cpus);
	u64 due_ns = ktime_to_ns(hrtimer_get_expires(timer)), now;

	/* Stopped; or the kernel has moved the timer here from a CPU that went offline. */
	if (!READ_ONCE(c->running) || timer != this_cpu_ptr(&tick_timers))
		return HRTIMER_NORESTART;

	now = ktime_get_ns();
	/* With highres=off, a timer runs up to one jiffy late. */
	tick(now, due_ns + hrtimer_resolution, 0);

	if (!tick_timer_choose_source(c))
		return HRTIMER_NORESTART;
	hrtimer_forward(timer, ns_to_ktime(now), ns_to_ktime(READ_ONCE(settings.timer_ns)));
	return HRTIMER_RESTART;
}

void tick_timer_start(u64 due_ns)
{
	hrtimer_start(this_cpu_ptr(&tick_timers), ns_to_ktime(due_ns),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

void tick_timer_cancel(int cpu)
{
	hrtimer_cancel(per_cpu_ptr(&tick_timers, cpu));
}

bool tick_timer_runs(int cpu)
{
	return hrtimer_active(per_cpu_ptr(&tick_timers, cpu));
}

void tick_timer_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		compat_hrtimer_setup(per_cpu_ptr(&tick_timers, cpu), tick_timer_fn,
				     CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
}
