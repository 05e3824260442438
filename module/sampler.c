// SPDX-License-Identifier: GPL-2.0
/*
 * The CPUs that are monitored: they are told to begin, come and go, and are stopped.
 *
 * A CPU is told to begin by a call, and with which tick. If its interrupts are off by
 * then, that tick is as late as any other, but the window may have begun long before.
 * Stopping needs nothing of that CPU.
 *
 * Context: with each function in sampler.h.
 */
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/tracepoint.h>

#include "awake.h"
#include "call.h"
#include "ended.h"
#include "overdue.h"
#include "sampler.h"
#include "settings.h"
#include "softirqs.h"
#include "ticker.h"
#include "watch.h"

/**
 * struct sampler - one CPU
 * @online: the CPU takes part in the system
 * @wanted: it is to be monitored
 * @told_ns: the first tick that it was told to take, 0 when it has begun. CLOCK_MONOTONIC
 *
 * Changes with the lock of its timers.
 */
struct sampler {
	bool online;
	bool wanted;
	u64 told_ns;
};

static struct sampler __percpu *samplers;

/* On that CPU. */
static void start_if_wanted(void)
{
	struct sampler *s = this_cpu_ptr(samplers);
	struct ticker *t = this_cpu_ptr(tickers);
	unsigned long flags;
	bool missed;
	u64 now;

	raw_spin_lock_irqsave(&t->lock, flags);
	if (s->online && s->wanted && !t->running) {
		now = ktime_get_ns();
		missed = s->told_ns && now >= s->told_ns + settings.period_ns;
		softirqs_start(now);
		if (!missed)
			watch_start();
		ticker_start(t, now, missed ? s->told_ns : 0);
		awake_start(&t->own);
		softirqs_first(now);
		WRITE_ONCE(s->told_ns, 0);
		WRITE_ONCE(t->running, true);
		awake_rest_ns(0);
	}
	raw_spin_unlock_irqrestore(&t->lock, flags);
}

/* This CPU was called. Interrupts off, see call.h. */
static void answer(unsigned int why, u64 at_ns)
{
	if (why & CALL_START)
		start_if_wanted();
	if (why & CALL_WATCH)
		ticker_watches(ktime_get_ns());
	if (why & CALL_OVERDUE)
		ticker_overdue(ktime_get_ns(), at_ns);
}

void sampler_start(int cpu, u64 phase_ns)
{
	struct sampler *s = per_cpu_ptr(samplers, cpu);
	struct ticker *t = per_cpu_ptr(tickers, cpu);
	u64 now = ktime_get_ns();

	raw_spin_lock_irq(&t->lock);
	t->phase_ns = phase_ns;
	s->wanted = true;
	if (s->online && !t->running) {
		WRITE_ONCE(s->told_ns, ticker_first(t, now));
		t->steal_ns = ended_steal_of(cpu);
		overdue_told(cpu, s->told_ns);
	}
	raw_spin_unlock_irq(&t->lock);

	preempt_disable();
	call_cpu(cpu, CALL_START, now);
	preempt_enable();
}

/* From now on nobody starts a timer of it, and those that run are cancelled. */
static void stop(int cpu)
{
	struct ticker *t = per_cpu_ptr(tickers, cpu);

	raw_spin_lock_irq(&t->lock);
	WRITE_ONCE(t->running, false);
	WRITE_ONCE(per_cpu_ptr(samplers, cpu)->told_ns, 0);
	raw_spin_unlock_irq(&t->lock);

	watch_stop(cpu);
	ticker_stop(t);
	overdue_stopped(cpu);
	softirqs_stop(cpu);
}

void sampler_stop(int cpu)
{
	struct ticker *t = per_cpu_ptr(tickers, cpu);

	raw_spin_lock_irq(&t->lock);
	per_cpu_ptr(samplers, cpu)->wanted = false;
	raw_spin_unlock_irq(&t->lock);
	stop(cpu);
}

bool sampler_running(int cpu)
{
	return READ_ONCE(per_cpu_ptr(tickers, cpu)->running);
}

bool sampler_late(int cpu)
{
	return READ_ONCE(per_cpu_ptr(samplers, cpu)->told_ns);
}

bool sampler_rides(int cpu)
{
	return sampler_running(cpu) && READ_ONCE(per_cpu_ptr(tickers, cpu)->rides);
}

void sampler_cpu_online(int cpu)
{
	struct ticker *t = per_cpu_ptr(tickers, cpu);
	struct sampler *s = per_cpu_ptr(samplers, cpu);
	bool wanted;

	ask_cpu_online(cpu);
	softirqs_cpu_online(cpu);
	raw_spin_lock_irq(&t->lock);
	s->online = true;
	wanted = s->wanted;
	raw_spin_unlock_irq(&t->lock);
	if (wanted)
		start_if_wanted();
}

void sampler_cpu_offline(int cpu)
{
	struct ticker *t = per_cpu_ptr(tickers, cpu);

	raw_spin_lock_irq(&t->lock);
	per_cpu_ptr(samplers, cpu)->online = false;
	raw_spin_unlock_irq(&t->lock);
	stop(cpu);
}

int sampler_init(void)
{
	int ret;

	samplers = alloc_percpu(struct sampler);
	if (!samplers)
		return -ENOMEM;
	ret = ticker_init();
	if (ret)
		goto samplers;
	ret = call_init(answer);
	if (ret)
		goto ticker;
	return 0;

ticker:
	ticker_exit();
samplers:
	free_percpu(samplers);
	return ret;
}

void sampler_exit(void)
{
	/* What idle.c had hooked in may not have returned yet, and may call. */
	tracepoint_synchronize_unregister();
	call_exit();
	ticker_exit();
	free_percpu(samplers);
}
