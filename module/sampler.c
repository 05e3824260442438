// SPDX-License-Identifier: GPL-2.0
/*
 * The hard timer of a monitored CPU, and what its ticks make of being late.
 *
 * It runs in hardirq context once a sampling period. By how much it is late, that long
 * the CPU could not take its timer interrupt: at least, since interrupts may have gone
 * off before it was due, but not before the previous tick ran. These are the two
 * bounds of a hardirq window. Such windows are looked into by other CPUs (watch.c).
 *
 * A CPU is told to begin by an interrupt, and with which tick. If its interrupts are off by
 * then, that tick is as late as any other, but the window may have begun long before.
 *
 * Each tick also looks whether softirqs run (softirqs.c).
 *
 * A CPU's state is written by that CPU alone: by its tick, and with interrupts off.
 * Only starting and stopping come from elsewhere, and what a CPU is told then
 * must not cross its own parking (park.c); for these there is a lock, which no tick ever
 * waits for.
 */
#include <linux/bitops.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <linux/tracepoint.h>
#include <asm/irq_regs.h>

#include "compat.h"
#include "ended.h"
#include "histogram.h"
#include "sampler.h"
#include "sampler_cpu.h"
#include "settings.h"
#include "softirqs.h"
#include "watch.h"
#include "window.h"

struct sampler __percpu *samplers;

/* Those that are parked. Changes under the lock of the CPU concerned. */
static struct cpumask parked;

/* Calls of start_here() that have been sent and have not returned. */
static atomic_t nr_starts;

static void send_start(int cpu)
{
	struct sampler *s = per_cpu_ptr(samplers, cpu);

	/*
	 * An earlier call that has not begun will find what has been written until then:
	 * this comes with a full barrier. To keep callers apart is their own business.
	 */
	if (test_and_set_bit(0, &s->start_sent))
		return;
	atomic_inc(&nr_starts);
	if (!smp_call_function_single_async(cpu, &s->start))
		return;
	/* Offline: sampler_cpu_online() will. */
	clear_bit(0, &s->start_sent);
	atomic_dec(&nr_starts);
}

void sampler_wake_watcher(u64 now)
{
	int cpu = -1;

	/* One that leaves its rest meanwhile is awake, which will do. */
	while ((cpu = data_race(cpumask_next(cpu, &parked))) < nr_cpu_ids) {
		struct sampler *s = per_cpu_ptr(samplers, cpu);

		/* On its way, unless it is stuck itself. */
		if (now - READ_ONCE(s->called_ns) < settings.period_ns)
			return;
		if (test_bit(0, &s->start_sent))
			continue;
		WRITE_ONCE(s->called_ns, now);
		send_start(cpu);
		return;
	}
}

/* On a grid that all CPUs share, each at its place, within one period. */
static u64 first_tick(u64 now, u64 phase_ns)
{
	u64 into_ns, first;

	div64_u64_rem(now, settings.period_ns, &into_ns);
	first = now - into_ns + phase_ns;
	return first > now ? first : first + settings.period_ns;
}

void sampler_begin(struct sampler *s, u64 now)
{
	u64 first = first_tick(now, s->phase_ns);

	s->ran_ns = now;
	s->steal_ns = ended_steal();
	softirqs_start(now);
	watch_start(first);
	hrtimer_start(&s->hard, ns_to_ktime(first), HRTIMER_MODE_ABS_PINNED_HARD);
}

/* The tick that it was told to begin with is overdue, and ends the window at once. */
static void begin_late(struct sampler *s, u64 now)
{
	s->ran_ns = now;
	softirqs_start(now);
	hrtimer_start(&s->hard, ns_to_ktime(s->told_ns),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

void sampler_set_parked(struct sampler *s, int cpu, bool value)
{
	WRITE_ONCE(s->parked, value);
	if (value)
		cpumask_set_cpu(cpu, &parked);
	else
		cpumask_clear_cpu(cpu, &parked);
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
	s->rested = sample_idle_task();
	if (likely(late_ns < period_ns)) {
		hrtimer_add_expires_ns(timer, period_ns);
	} else {
		hrtimer_forward(timer, ns_to_ktime(now), ns_to_ktime(period_ns));
		WRITE_ONCE(window->begin_unseen, false);
	}
	window_open(window, ktime_to_ns(hrtimer_get_expires(timer)),
		    watch_missed_ns);
	watch_others(now);
	if (unlikely(watch_unattended()) && !s->rested)
		sampler_wake_watcher(now);
	return HRTIMER_RESTART;
}

static void start_if_wanted(struct sampler *s)
{
	unsigned long flags;
	u64 now;

	raw_spin_lock_irqsave(&s->lock, flags);
	if (s->online && s->wanted && !s->running) {
		now = ktime_get_ns();
		if (s->told_ns && now >= s->told_ns + settings.period_ns)
			begin_late(s, now);
		else
			sampler_begin(s, now);
		softirqs_first(now);
		WRITE_ONCE(s->told_ns, 0);
		WRITE_ONCE(s->running, true);
	}
	raw_spin_unlock_irqrestore(&s->lock, flags);
}

/* Hardirq. */
static void start_here(void *info)
{
	struct sampler *s = info;

	/*
	 * It may be sent again, as the kernel is done with it. Who found that it was sent
	 * wrote before what is read now: pairs with send_start().
	 */
	clear_bit(0, &s->start_sent);
	smp_mb__after_atomic();	/* likewise */
	start_if_wanted(s);
	atomic_dec(&nr_starts);
}

void sampler_start(int cpu, u64 phase_ns)
{
	struct sampler *s = per_cpu_ptr(samplers, cpu);

	raw_spin_lock_irq(&s->lock);
	s->phase_ns = phase_ns;
	s->wanted = true;
	if (s->online && !s->running) {
		WRITE_ONCE(s->told_ns, first_tick(ktime_get_ns(), phase_ns));
		s->steal_ns = ended_steal_of(cpu);
		watch_told(cpu, s->told_ns);
	}
	raw_spin_unlock_irq(&s->lock);
	send_start(cpu);
}

/* From now on nobody starts the timer, and if it runs, it is cancelled. */
static void stop(struct sampler *s, int cpu)
{
	raw_spin_lock_irq(&s->lock);
	WRITE_ONCE(s->running, false);
	WRITE_ONCE(s->told_ns, 0);
	sampler_set_parked(s, cpu, false);
	raw_spin_unlock_irq(&s->lock);

	watch_stop(cpu);
	hrtimer_cancel(&s->rest);
	hrtimer_cancel(&s->hard);
	s->rested = false;
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

bool sampler_late(int cpu)
{
	return READ_ONCE(per_cpu_ptr(samplers, cpu)->told_ns);
}

bool sampler_parked(int cpu)
{
	return READ_ONCE(per_cpu_ptr(samplers, cpu)->parked);
}

void sampler_cpu_online(int cpu)
{
	struct sampler *s = per_cpu_ptr(samplers, cpu);

	ask_cpu_online(cpu);
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
		s->window = ask_window(cpu);
		compat_hrtimer_setup(&s->hard, hard_tick, CLOCK_MONOTONIC,
				     HRTIMER_MODE_ABS_PINNED_HARD);
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
