// SPDX-License-Identifier: GPL-2.0
/*
 * The hard timer of a monitored CPU, and what its ticks make of being late.
 *
 * It runs in hardirq context once a sampling period. By how much it is late, that long
 * the CPU could not take its timer interrupt: at least, since interrupts may have gone
 * off before it was due, but not before the previous tick ran. These are the two
 * bounds of a hardirq window. Such windows are looked into by other CPUs (watch.c).
 *
 * Each tick also looks whether softirqs run (softirqs.c).
 *
 * A CPU that is idle is parked: it takes no ticks at all. It says itself when it goes idle
 * and wakes (idle.c).
 *
 * A CPU's state is written by that CPU alone: by its tick, and with interrupts off.
 * Only starting and stopping come from elsewhere, and what a CPU is told then
 * must not cross its own parking; for these there is a lock, which no tick ever waits for.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/timekeeping.h>
#include <linux/tracepoint.h>
#include <asm/irq_regs.h>

#include "compat.h"
#include "ended.h"
#include "histogram.h"
#include "rest.h"
#include "sampler.h"
#include "settings.h"
#include "softirqs.h"
#include "watch.h"
#include "window.h"

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

/* But wake-ups come in bursts: so many may come at once. */
#define BURST		16

/**
 * struct sampler - one CPU
 * @lock: protects the flags and the phase; taken with interrupts off, and on a
 *	tick only when it is free
 * @online: the CPU takes part in the system
 * @wanted: it is to be monitored
 * @running: it is being monitored: its timer has been started and not been stopped since
 * @parked: it is, but its timer rests with it
 * @called_ns: when it was woken to watch another one; by that one
 * @parks_ns: as if it had been parked once in PARK_NS, up to then
 * @calls_ns: as if it had called another one once in CALL_PERIODS, up to then
 * @rested: it may be parked: it was idle when it last ticked, or was parked since
 * @phase_ns: when in a sampling period it ticks
 * @start: tells the CPU to start its timer
 * @hard: the timer
 * @rest: a timer that wakes nobody, and runs while @parked when one of others does
 * @window: open from the time that its next tick is due
 * @ran_ns: the last tick
 * @steal_ns: stolen time that had been accounted at the last tick
 *
 * All times are CLOCK_MONOTONIC.
 */
struct sampler {
	raw_spinlock_t lock;
	bool online;
	bool wanted;
	bool running;
	bool parked;
	bool rested;
	u64 phase_ns;
	call_single_data_t start;

	struct hrtimer hard;
	struct hrtimer rest;
	struct window *window;
	u64 ran_ns;
	u64 called_ns;
	u64 parks_ns;
	u64 calls_ns;
	u64 steal_ns;
};

static struct sampler __percpu *samplers;

/* Those that are parked. Changes under the lock of the CPU concerned. */
static struct cpumask parked;

/* Calls of start_here() that have been sent and have not returned. */
static atomic_t nr_starts;

static void send_start(int cpu)
{
	struct sampler *s = per_cpu_ptr(samplers, cpu);

	/*
	 * Busy means that an earlier call has not begun: it will find what has been
	 * written until then. Offline: sampler_cpu_online() will.
	 */
	atomic_inc(&nr_starts);
	if (smp_call_function_single_async(cpu, &s->start))
		atomic_dec(&nr_starts);
}

/*
 * This CPU is awake, and no other one ticks to see what it does. Wake one of those
 * that rest. Any context but NMI, with preemption off.
 */
static void wake_watcher(void)
{
	/* One that leaves its rest meanwhile is awake, which will do. */
	int cpu = data_race(cpumask_first(&parked));

	if (cpu >= nr_cpu_ids)
		return;
	WRITE_ONCE(per_cpu_ptr(samplers, cpu)->called_ns, ktime_get_ns());
	send_start(cpu);
}

/* On a grid that all CPUs share, each at its place, within one period. */
static u64 first_tick(u64 now, u64 phase_ns)
{
	u64 into_ns, first;

	div64_u64_rem(now, settings.period_ns, &into_ns);
	first = now - into_ns + phase_ns;
	return first > now ? first : first + settings.period_ns;
}

/* Ticks begin. On the CPU itself, with its lock. */
static void begin(struct sampler *s, u64 now)
{
	u64 first = first_tick(now, s->phase_ns);

	s->ran_ns = now;
	s->steal_ns = ended_steal();
	softirqs_start(now);
	watch_start(first);
	hrtimer_start(&s->hard, ns_to_ktime(first), HRTIMER_MODE_ABS_PINNED_HARD);
}

/* With the lock. */
static void set_parked(struct sampler *s, int cpu, bool value)
{
	WRITE_ONCE(s->parked, value);
	if (value)
		cpumask_set_cpu(cpu, &parked);
	else
		cpumask_clear_cpu(cpu, &parked);
}

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
	set_parked(s, smp_processor_id(), false);
	s->rested = affords(&s->parks_ns, now, PARK_NS);
	begin(s, now);
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

/* Hardirq. */
static enum hrtimer_restart hard_tick(struct hrtimer *timer)
{
	struct sampler *s = container_of(timer, struct sampler, hard);
	struct window *window = s->window;
	u64 period_ns = settings.period_ns;
	u64 now = ktime_get_ns();
	u64 expires_ns = ktime_to_ns(hrtimer_get_expires(timer));
	u64 late_ns = now > expires_ns ? now - expires_ns : 0;

	window_close(window);
	ended_tick(late_ns >= period_ns);
	histogram_add(WINDOW_HARDIRQ, late_ns, period_ns);
	if (unlikely(late_ns >= READ_ONCE(settings.threshold_ns)))
		ended_record(WINDOW_HARDIRQ, now, late_ns, now - s->ran_ns,
			     s->steal_ns, window, get_irq_regs());
	softirqs_tick(now, late_ns, s->ran_ns);

	s->ran_ns = now;
	s->steal_ns = ended_steal();
	s->rested = is_idle_task(current);
	if (likely(late_ns < period_ns))
		hrtimer_add_expires_ns(timer, period_ns);
	else
		hrtimer_forward(timer, ns_to_ktime(now), ns_to_ktime(period_ns));
	window_open(window, ktime_to_ns(hrtimer_get_expires(timer)),
		    watch_missed_ns);
	if (!watch_others(now) && !s->rested)
		wake_watcher();
	return HRTIMER_RESTART;
}

static void start_if_wanted(struct sampler *s)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&s->lock, flags);
	if (s->online && s->wanted && !s->running) {
		s->rested = false;
		begin(s, ktime_get_ns());
		WRITE_ONCE(s->running, true);
	}
	raw_spin_unlock_irqrestore(&s->lock, flags);
}

/* With the lock. */
static bool may_park(struct sampler *s, u64 now)
{
	return s->running && !s->parked &&
	       !softirqs_window(smp_processor_id())->began_ns &&
	       rest_begin(now) && watch_rest();
}

void sampler_rests(void)
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
		set_parked(s, smp_processor_id(), true);
		hrtimer_start_range_ns(&s->rest, 0, REST_SLACK_NS,
				       HRTIMER_MODE_REL_PINNED_HARD);
	}
	raw_spin_unlock(&s->lock);
}

/* This CPU has just woken, and all others rest. */
static void call_watcher(struct sampler *s)
{
	u64 now = ktime_get_ns();

	/* Who was only woken to watch need not be watched. */
	if (now - READ_ONCE(s->called_ns) > CALL_NS &&
	    affords(&s->calls_ns, now, CALL_PERIODS * settings.period_ns))
		wake_watcher();
}

void sampler_wakes(bool busy)
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
	if (busy && READ_ONCE(s->running) && watch_alone())
		call_watcher(s);
}

/* Hardirq. */
static void start_here(void *info)
{
	start_if_wanted(info);
	atomic_dec(&nr_starts);
}

void sampler_start(int cpu, u64 phase_ns)
{
	struct sampler *s = per_cpu_ptr(samplers, cpu);

	raw_spin_lock_irq(&s->lock);
	s->wanted = true;
	s->phase_ns = phase_ns;
	raw_spin_unlock_irq(&s->lock);

	send_start(cpu);
}

/* From now on nobody starts the timer, and if it runs, it is cancelled. */
static void stop(struct sampler *s, int cpu)
{
	raw_spin_lock_irq(&s->lock);
	WRITE_ONCE(s->running, false);
	set_parked(s, cpu, false);
	raw_spin_unlock_irq(&s->lock);

	watch_stop(cpu);
	hrtimer_cancel(&s->rest);
	hrtimer_cancel(&s->hard);
	watch_stopped(cpu);
	softirqs_stop(cpu);
}

void sampler_stop(int cpu)
{
	struct sampler *s = per_cpu_ptr(samplers, cpu);

	raw_spin_lock_irq(&s->lock);
	s->wanted = false;
	raw_spin_unlock_irq(&s->lock);
	stop(s, cpu);
}

bool sampler_running(int cpu)
{
	return READ_ONCE(per_cpu_ptr(samplers, cpu)->running);
}

bool sampler_parked(int cpu)
{
	return READ_ONCE(per_cpu_ptr(samplers, cpu)->parked);
}

void sampler_cpu_online(int cpu)
{
	struct sampler *s = per_cpu_ptr(samplers, cpu);

	watch_cpu_online(cpu);
	softirqs_cpu_online(cpu);
	raw_spin_lock_irq(&s->lock);
	s->online = true;
	raw_spin_unlock_irq(&s->lock);
	start_if_wanted(s);
}

void sampler_cpu_offline(int cpu)
{
	struct sampler *s = per_cpu_ptr(samplers, cpu);

	raw_spin_lock_irq(&s->lock);
	s->online = false;
	raw_spin_unlock_irq(&s->lock);
	stop(s, cpu);
}

int sampler_init(void)
{
	int cpu;

	samplers = alloc_percpu(struct sampler);
	if (!samplers)
		return -ENOMEM;

	for_each_possible_cpu(cpu) {
		struct sampler *s = per_cpu_ptr(samplers, cpu);

		raw_spin_lock_init(&s->lock);
		s->start.func = start_here;
		s->start.info = s;
		s->window = watch_window(cpu);
		compat_hrtimer_setup(&s->hard, hard_tick, CLOCK_MONOTONIC,
				     HRTIMER_MODE_ABS_PINNED_HARD);
		/* A timer waits behind those of its own clock that are due before. */
		compat_hrtimer_setup(&s->rest, rest_tick, CLOCK_TAI,
				     HRTIMER_MODE_REL_PINNED_HARD);
	}
	return 0;
}

void sampler_exit(void)
{
	while (atomic_read(&nr_starts))
		usleep_range(1000, 2000);
	/*
	 * start_here() has counted itself off, but may not have returned yet, and so may
	 * what idle.c had hooked in. This waits for RCU too.
	 */
	tracepoint_synchronize_unregister();
	free_percpu(samplers);
}
