// SPDX-License-Identifier: GPL-2.0
/*
 * The two pinned timers of a monitored CPU, and what they make of being late.
 *
 * The hard timer runs in hardirq context once a sampling period. By how much it
 * is late, that long the CPU could not take its timer interrupt: at least, since
 * interrupts may have gone off before it was due, but not before the previous
 * tick ran. These are the two bounds of a hardirq window.
 *
 * The soft timer expires together with the hard one, so that the interrupt which
 * runs the hard tick also raises the softirq that runs the soft one. How long that
 * takes from there is the latency of softirqs. While it takes too long, the hard
 * ticks go on and look at what keeps the CPU from it: a softirq window carries up
 * to RECORD_SAMPLES of these samples.
 *
 *	hard tick     |         |         |         |         |
 *	soft tick     |.        |..............................x
 *	                        raised    sample    sample     end of the window
 *
 * Time for which hard ticks were late belongs to a hardirq window. It is taken
 * off the softirq latency, so that one cause never makes two records.
 *
 * A CPU's state is written by that CPU alone: by its hard tick, and by its soft
 * tick with interrupts off. Only starting and stopping come from elsewhere; for
 * these there is a lock, which no tick ever takes.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/timekeeping.h>
#include <asm/irq_regs.h>

#include "compat.h"
#include "histogram.h"
#include "recorder.h"
#include "sampler.h"

/**
 * struct sampler - one CPU
 * @lock: protects the three flags; taken with interrupts off, never on a tick
 * @online: the CPU takes part in the system
 * @wanted: it is to be monitored
 * @running: its timers have been started and not been stopped since
 * @start: tells the CPU to start its timers
 * @hard: runs in hardirq
 * @soft: runs in softirq
 * @hard_ran_ns: the last hard tick
 * @soft_ran_ns: the last soft tick
 * @soft_expires_ns: when the soft timer is due
 * @soft_raised_ns: the hard tick that raised the soft one, which has not run
 *	since; moved on by the length of hardirq windows. 0 when none is due
 * @sample_due_ns: the latency at which the next sample is taken
 * @nr_samples: how many are in @samples
 * @samples: of the softirq window that is open
 *
 * All times are CLOCK_MONOTONIC.
 */
struct sampler {
	raw_spinlock_t lock;
	bool online;
	bool wanted;
	bool running;
	call_single_data_t start;

	struct hrtimer hard;
	struct hrtimer soft;
	u64 hard_ran_ns;
	u64 soft_ran_ns;
	u64 soft_expires_ns;
	u64 soft_raised_ns;
	u64 sample_due_ns;
	unsigned int nr_samples;
	struct sample samples[RECORD_SAMPLES];
};

struct sampler_settings sampler_settings = {
	.period_ns = 10 * NSEC_PER_MSEC,
	.threshold_ns = 50 * NSEC_PER_MSEC,
};

static struct sampler __percpu *samplers;

/* Calls of start_here() that have been sent and have not returned. */
static atomic_t nr_starts;

/* Hardirq, or softirq with interrupts off. */
static void record_window(struct sampler *s, enum window_kind kind, u64 now,
			  u64 latency_ns, u64 max_ns, struct pt_regs *regs)
{
	struct record *record = recorder_begin();

	if (!record)
		return;

	record->kind = kind;
	record->cpu = smp_processor_id();
	record->end_mono_ns = now;
	record->end_real_ns = ktime_to_ns(ktime_mono_to_real(ns_to_ktime(now)));
	record->latency_ns = latency_ns;
	record->max_ns = max_ns;
	record->nr_samples = 0;
	if (kind == WINDOW_SOFTIRQ) {
		record->nr_samples = s->nr_samples;
		memcpy(record->samples, s->samples,
		       s->nr_samples * sizeof(*s->samples));
	}

	sample_take(&record->end, regs);
	record->end.state = kind == WINDOW_HARDIRQ ? STATE_IRQ_OFF : STATE_OVER;
	record->end.at_ns = now;
	record->end.offset_ns = latency_ns;
	recorder_commit(record);
}

/*
 * A softirq window is open: look at what is going on, at the threshold and each
 * time the latency has doubled. The first look is taken one period early, as the
 * window may end before the tick that would find it at the threshold, and taken
 * again until it is not early any more.
 */
static void sample_softirq_window(struct sampler *s, u64 now, u64 latency_ns)
{
	u64 threshold_ns = READ_ONCE(sampler_settings.threshold_ns);
	bool was_early = s->nr_samples == 1 &&
			 s->samples[0].offset_ns < threshold_ns;
	struct sample *sample;

	if (latency_ns < s->sample_due_ns || s->nr_samples == RECORD_SAMPLES)
		return;

	if (was_early)
		s->nr_samples = 0;
	sample = &s->samples[s->nr_samples++];
	sample_take(sample, get_irq_regs());
	sample->state = sample_softirq_state();
	sample->at_ns = now;
	sample->offset_ns = latency_ns;

	if (latency_ns < threshold_ns)
		return;
	s->sample_due_ns = max(s->sample_due_ns, threshold_ns);
	while (s->sample_due_ns <= latency_ns)
		s->sample_due_ns *= 2;
}

/* Hardirq. */
static void watch_softirqs(struct sampler *s, u64 now, u64 late_ns)
{
	u64 period_ns = sampler_settings.period_ns;

	if (!s->soft_raised_ns) {
		if (now < s->soft_expires_ns)
			return;
		s->soft_raised_ns = now;
		s->nr_samples = 0;
		s->sample_due_ns =
			READ_ONCE(sampler_settings.threshold_ns) - period_ns;
		return;
	}

	/* Interrupts were off, which is not the softirqs' fault. */
	if (late_ns >= period_ns)
		s->soft_raised_ns += late_ns;
	else
		sample_softirq_window(s, now, now - s->soft_raised_ns);
}

/* Hardirq. */
static enum hrtimer_restart hard_tick(struct hrtimer *timer)
{
	struct sampler *s = container_of(timer, struct sampler, hard);
	u64 period_ns = sampler_settings.period_ns;
	u64 now = ktime_get_ns();
	u64 expires_ns = ktime_to_ns(hrtimer_get_expires(timer));
	u64 late_ns = now > expires_ns ? now - expires_ns : 0;

	histogram_add(WINDOW_HARDIRQ, late_ns, period_ns);
	if (late_ns >= READ_ONCE(sampler_settings.threshold_ns))
		record_window(s, WINDOW_HARDIRQ, now, late_ns,
			      now - s->hard_ran_ns, get_irq_regs());
	watch_softirqs(s, now, late_ns);

	s->hard_ran_ns = now;
	hrtimer_forward(timer, ns_to_ktime(now), ns_to_ktime(period_ns));
	return HRTIMER_RESTART;
}

/*
 * Softirq. Interrupts stay off, so that no hard tick comes in between and finds
 * the soft timer due when it has just run.
 */
static enum hrtimer_restart soft_tick(struct hrtimer *timer)
{
	struct sampler *s = container_of(timer, struct sampler, soft);
	u64 period_ns = sampler_settings.period_ns;
	u64 latency_ns = 0;
	unsigned long flags;
	u64 now;

	local_irq_save(flags);
	now = ktime_get_ns();
	if (s->soft_raised_ns && now > s->soft_raised_ns)
		latency_ns = now - s->soft_raised_ns;

	histogram_add(WINDOW_SOFTIRQ, latency_ns, period_ns);
	if (latency_ns >= READ_ONCE(sampler_settings.threshold_ns))
		record_window(s, WINDOW_SOFTIRQ, now, latency_ns,
			      now - s->soft_ran_ns, NULL);

	s->soft_raised_ns = 0;
	s->soft_ran_ns = now;
	hrtimer_forward(timer, ns_to_ktime(now), ns_to_ktime(period_ns));
	s->soft_expires_ns = ktime_to_ns(hrtimer_get_expires(timer));
	local_irq_restore(flags);
	return HRTIMER_RESTART;
}

/* On the CPU itself, with its lock. The two timers stay on one grid. */
static void start_timers(struct sampler *s)
{
	u64 now = ktime_get_ns();
	u64 first = now + sampler_settings.period_ns;

	s->hard_ran_ns = now;
	s->soft_ran_ns = now;
	s->soft_expires_ns = first;
	s->soft_raised_ns = 0;
	hrtimer_start(&s->hard, ns_to_ktime(first), HRTIMER_MODE_ABS_PINNED_HARD);
	hrtimer_start(&s->soft, ns_to_ktime(first), HRTIMER_MODE_ABS_PINNED_SOFT);
}

static void start_if_wanted(struct sampler *s)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&s->lock, flags);
	if (s->online && s->wanted && !s->running) {
		start_timers(s);
		s->running = true;
	}
	raw_spin_unlock_irqrestore(&s->lock, flags);
}

/* Hardirq. */
static void start_here(void *info)
{
	start_if_wanted(info);
	atomic_dec(&nr_starts);
}

void sampler_start(int cpu)
{
	struct sampler *s = per_cpu_ptr(samplers, cpu);

	raw_spin_lock_irq(&s->lock);
	s->wanted = true;
	raw_spin_unlock_irq(&s->lock);

	/*
	 * Busy means that an earlier call has not begun: it will find what was
	 * written above. Offline: sampler_cpu_online() will.
	 */
	atomic_inc(&nr_starts);
	if (smp_call_function_single_async(cpu, &s->start))
		atomic_dec(&nr_starts);
}

static void cancel_timers(struct sampler *s)
{
	hrtimer_cancel(&s->hard);
	hrtimer_cancel(&s->soft);
}

void sampler_stop(int cpu)
{
	struct sampler *s = per_cpu_ptr(samplers, cpu);

	/* From here on nobody starts the timers; those that run are cancelled. */
	raw_spin_lock_irq(&s->lock);
	s->wanted = false;
	s->running = false;
	raw_spin_unlock_irq(&s->lock);
	cancel_timers(s);
}

bool sampler_running(int cpu)
{
	return READ_ONCE(per_cpu_ptr(samplers, cpu)->running);
}

void sampler_cpu_online(int cpu)
{
	struct sampler *s = per_cpu_ptr(samplers, cpu);

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
	s->running = false;
	raw_spin_unlock_irq(&s->lock);
	cancel_timers(s);
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
		compat_hrtimer_setup(&s->hard, hard_tick, CLOCK_MONOTONIC,
				     HRTIMER_MODE_ABS_PINNED_HARD);
		compat_hrtimer_setup(&s->soft, soft_tick, CLOCK_MONOTONIC,
				     HRTIMER_MODE_ABS_PINNED_SOFT);
	}
	return 0;
}

void sampler_exit(void)
{
	while (atomic_read(&nr_starts))
		usleep_range(1000, 2000);
	/* start_here() has counted itself off, but may not have returned yet. */
	synchronize_rcu();
	free_percpu(samplers);
}
