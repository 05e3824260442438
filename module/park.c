// SPDX-License-Identifier: GPL-2.0
/*
 * Parks a CPU that is idle: it takes no ticks at all. It says itself when it goes idle and
 * wakes (idle.c). One of them goes on, as long as others are awake (watch.c).
 *
 * Context: with each function in park.h.
 */
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/percpu.h>

#include "compat.h"
#include "ended.h"
#include "park.h"
#include "rest.h"
#include "sampler_cpu.h"
#include "settings.h"
#include "softirqs.h"
#include "watch.h"

/*
 * So long the timer of a parked CPU may wait for an interrupt of another one to run in. It
 * is not worth a wake-up by itself.
 */
#define REST_SLACK_NS	NSEC_PER_SEC

/* A CPU that wakes so soon after it was called does so for that. */
#define CALL_NS		NSEC_PER_MSEC

/*
 * To park a CPU and to wake it costs as much as a tick or two. So on the whole it is not
 * done more often than this: a CPU that wakes more often has to be found idle by a tick.
 */
#define PARK_NS		(2 * NSEC_PER_MSEC)

/* So rarely, in periods, a CPU calls another one when it wakes. Then its next tick does. */
#define CALL_PERIODS	20

/*
 * The watcher hands over more often: others rely on it. Its place goes to a CPU that was
 * asleep, so in the end to one that sleeps long.
 */
#define HAND_OVER_PERIODS	1

/* But wake-ups come in bursts: so many may come at once. */
#define BURST		16

/*
 * What happens not more often than once in @each_ns on the whole, though up to BURST times
 * in a row, has taken place until @until_ns. Return: whether once more is within that.
 */
static bool affords(u64 *until_ns, u64 now, u64 each_ns)
{
	if (*until_ns > now + BURST * each_ns)
		return false;
	*until_ns = max(*until_ns, now) + each_ns;
	return true;
}

/* On the CPU itself, with its lock. @interrupt: in an interrupt that wakes it */
static void unpark(struct sampler *s, bool interrupt)
{
	u64 now = ktime_get_ns();

	rest_end(now, interrupt);
	sampler_set_parked(s, smp_processor_id(), false);
	s->rested = affords(&s->parks_ns, now, PARK_NS);
	sampler_begin(s, now);
}

/* An interrupt wakes a parked CPU, and there may be softirqs behind it. Hardirq. */
static enum hrtimer_restart rest_tick(struct hrtimer *timer)
{
	struct sampler *s = container_of(timer, struct sampler, rest);

	watch_set_idle(false);
	/* Whoever holds it is about to stop all this. */
	if (raw_spin_trylock(&s->lock)) {
		if (s->parked)
			unpark(s, true);
		raw_spin_unlock(&s->lock);
	}
	return HRTIMER_NORESTART;
}

/* With the lock. */
static bool may_park(struct sampler *s, u64 now)
{
	return s->running && !s->parked &&
	       !softirqs_window(smp_processor_id())->began_ns &&
	       rest_begin(now) && watch_rest(now);
}

void park_rests(void)
{
	struct sampler *s = this_cpu_ptr(samplers);
	u64 now;

	watch_set_idle(true);
	if (!s->rested)
		return;

	now = ktime_get_ns();
	raw_spin_lock(&s->lock);
	if (may_park(s, now)) {
		/* No tick can be running: this CPU is idle. */
		hrtimer_try_to_cancel(&s->hard);
		ended_tick(false);
		sampler_set_parked(s, smp_processor_id(), true);
		hrtimer_start_range_ns(&s->rest, 0, REST_SLACK_NS,
				       HRTIMER_MODE_REL_PINNED_HARD);
	}
	raw_spin_unlock(&s->lock);
}

/* This CPU has just woken, and nobody watches those that are awake. */
static void call_watcher(struct sampler *s, unsigned int periods)
{
	u64 now = ktime_get_ns();

	if (affords(&s->calls_ns, now, periods * settings.period_ns))
		sampler_wake_watcher(now);
}

/* It was only woken to watch, and need not be watched. */
static bool was_called(const struct sampler *s)
{
	return ktime_get_ns() - READ_ONCE(s->called_ns) <= CALL_NS;
}

void park_wakes(bool busy)
{
	struct sampler *s = this_cpu_ptr(samplers);
	unsigned long flags;

	watch_set_idle(false);
	if (READ_ONCE(s->parked)) {
		raw_spin_lock_irqsave(&s->lock, flags);
		if (s->parked) {
			hrtimer_try_to_cancel(&s->rest);
			unpark(s, false);
		}
		raw_spin_unlock_irqrestore(&s->lock, flags);
	}
	if (!busy || !READ_ONCE(s->running))
		return;
	if (watch_resign())
		call_watcher(s, HAND_OVER_PERIODS);
	else if (watch_unattended() && !was_called(s))
		call_watcher(s, CALL_PERIODS);
}

void park_init(void)
{
	int cpu;

	/* A timer waits behind those of its own clock that are due before. */
	for_each_possible_cpu(cpu)
		compat_hrtimer_setup(&per_cpu_ptr(samplers, cpu)->rest,
				     rest_tick, CLOCK_TAI,
				     HRTIMER_MODE_REL_PINNED_HARD);
}
