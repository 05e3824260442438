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
 * to WINDOW_SAMPLES of these samples. Hardirq windows are looked into by other CPUs
 * (watch.c).
 *
 *	hard tick     |         |         |         |         |
 *	soft tick     |.        |..............................x
 *	                        raised    sample    sample     end of the window
 *
 * Time for which hard ticks were late belongs to a hardirq window. It is taken
 * off the softirq latency, so that one cause never makes two records.
 *
 * A virtual CPU that its host does not run is late too. Where the guest is told of such
 * time, it stands on the record. The kernel may account it on a tick of its own only
 * after ours, so a record is added to on our next tick.
 *
 * A CPU's state is written by that CPU alone: by its hard tick, and by its soft
 * tick with interrupts off. Only starting and stopping come from elsewhere; for
 * these there is a lock, which no tick ever takes.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/kernel_stat.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <asm/irq_regs.h>

#include "compat.h"
#include "histogram.h"
#include "recorder.h"
#include "sampler.h"
#include "settings.h"
#include "watch.h"
#include "window.h"

/**
 * struct sampler - one CPU
 * @lock: protects the flags and the phase; taken with interrupts off, never on a tick
 * @online: the CPU takes part in the system
 * @wanted: it is to be monitored
 * @running: its timers have been started and not been stopped since
 * @phase_ns: when in a sampling period it ticks
 * @start: tells the CPU to start its timers
 * @hard: runs in hardirq
 * @soft: runs in softirq
 * @hard_ran_ns: the last hard tick
 * @soft_ran_ns: the last soft tick
 * @soft_expires_ns: when the soft timer is due
 * @softirqs: open from the hard tick that raised the soft one until that runs; its
 *	beginning is moved on by the length of hardirq windows
 * @early: a look into it before it was as long as the threshold
 * @steal_ns: stolen time that had been accounted at the last hard tick
 * @raised_steal_ns: and when @softirqs began
 * @unsettled: the record of each kind that was made since the last hard tick, if any,
 *	and what had been accounted then
 *
 * All times are CLOCK_MONOTONIC.
 */
struct sampler {
	raw_spinlock_t lock;
	bool online;
	bool wanted;
	bool running;
	u64 phase_ns;
	call_single_data_t start;

	struct hrtimer hard;
	struct hrtimer soft;
	u64 hard_ran_ns;
	u64 soft_ran_ns;
	u64 soft_expires_ns;
	struct window softirqs;
	struct sample early;

	u64 steal_ns;
	u64 raised_steal_ns;
	struct {
		u64 seq;
		u64 steal_ns;
	} unsettled[NR_WINDOW_KINDS];
};

static struct sampler __percpu *samplers;

/* Calls of start_here() that have been sent and have not returned. */
static atomic_t nr_starts;

static u64 steal_so_far(void)
{
	return kcpustat_this_cpu->cpustat[CPUTIME_STEAL];
}

/*
 * What was accounted since a record was made belongs to its window, unless there has
 * been another one. Hardirq.
 */
static void settle_steal(struct sampler *s, u64 steal_ns, u64 late_ns)
{
	enum window_kind kind;

	for (kind = 0; kind < NR_WINDOW_KINDS; kind++) {
		u64 more_ns;

		if (likely(!s->unsettled[kind].seq))
			continue;
		more_ns = steal_ns - s->unsettled[kind].steal_ns;
		if (more_ns && late_ns < settings.period_ns)
			recorder_add_steal(s->unsettled[kind].seq, more_ns);
		s->unsettled[kind].seq = 0;
	}
}

/*
 * @steal_ns: stolen time that had been accounted when the window began
 *
 * Hardirq, or softirq with interrupts off.
 */
static void record_window(struct sampler *s, enum window_kind kind, u64 now,
			  u64 latency_ns, u64 max_ns, u64 steal_ns,
			  const struct window *window, struct pt_regs *regs)
{
	struct record *record = recorder_begin();

	if (!record)
		return;

	s->unsettled[kind].seq = record->seq;
	s->unsettled[kind].steal_ns = steal_so_far();
	record->steal_ns = s->unsettled[kind].steal_ns - steal_ns;
	record->kind = kind;
	record->cpu = smp_processor_id();
	record->end_mono_ns = now;
	record->end_real_ns = ktime_to_ns(ktime_mono_to_real(ns_to_ktime(now)));
	record->latency_ns = latency_ns;
	record->max_ns = max_ns;
	record->nr_samples = window->nr;
	memcpy(record->samples, window->samples,
	       window->nr * sizeof(*window->samples));
	sample_take(&record->end, now, latency_ns,
		    kind == WINDOW_HARDIRQ ? STATE_IRQ_OFF : STATE_OVER, regs);
	recorder_commit(record);
}

/*
 * Softirqs are late. The window is looked into at the threshold and each time the
 * latency has doubled since. As it may end before the tick that would find it at
 * the threshold, the tick before that takes an early look, to be used when there
 * is no other.
 */
static void look_at_softirqs(struct sampler *s, u64 now, u64 latency_ns)
{
	u64 threshold_ns = READ_ONCE(settings.threshold_ns);

	if (window_wants(&s->softirqs, latency_ns))
		window_look(&s->softirqs, now, threshold_ns,
			    sample_softirq_state(), get_irq_regs());
	else if (!s->softirqs.nr &&
		 latency_ns + settings.period_ns >= threshold_ns)
		sample_take(&s->early, now, latency_ns, sample_softirq_state(),
			    get_irq_regs());
}

/* Hardirq. */
static void watch_softirqs(struct sampler *s, u64 now, u64 late_ns)
{
	u64 raised_ns = s->softirqs.began_ns;

	if (!raised_ns) {
		if (now < s->soft_expires_ns)
			return;
		s->early.at_ns = 0;
		s->raised_steal_ns = steal_so_far();
		window_open(&s->softirqs, now,
			    READ_ONCE(settings.threshold_ns));
	} else if (late_ns >= settings.period_ns) {
		/* Interrupts were off, which is not the softirqs' fault. */
		WRITE_ONCE(s->softirqs.began_ns, raised_ns + late_ns);
	} else {
		look_at_softirqs(s, now, now - raised_ns);
	}
}

/* Hardirq. */
static enum hrtimer_restart hard_tick(struct hrtimer *timer)
{
	struct sampler *s = container_of(timer, struct sampler, hard);
	const struct window *window = watch_tick();
	u64 period_ns = settings.period_ns;
	u64 now = ktime_get_ns();
	u64 expires_ns = ktime_to_ns(hrtimer_get_expires(timer));
	u64 late_ns = now > expires_ns ? now - expires_ns : 0;
	u64 steal_ns = steal_so_far();

	settle_steal(s, steal_ns, late_ns);
	histogram_add(WINDOW_HARDIRQ, late_ns, period_ns);
	if (late_ns >= READ_ONCE(settings.threshold_ns))
		record_window(s, WINDOW_HARDIRQ, now, late_ns,
			      now - s->hard_ran_ns, s->steal_ns, window,
			      get_irq_regs());
	watch_softirqs(s, now, late_ns);

	s->hard_ran_ns = now;
	s->steal_ns = steal_ns;
	hrtimer_forward(timer, ns_to_ktime(now), ns_to_ktime(period_ns));
	watch_next_tick(ktime_to_ns(hrtimer_get_expires(timer)));
	watch_others(now);
	return HRTIMER_RESTART;
}

/* The softirq window that is over. Softirq with interrupts off. */
static void record_softirqs(struct sampler *s, u64 now, u64 latency_ns)
{
	struct window *window = &s->softirqs;

	if (!window->nr && s->early.at_ns) {
		window->samples[0] = s->early;
		window->nr = 1;
	}
	record_window(s, WINDOW_SOFTIRQ, now, latency_ns, now - s->soft_ran_ns,
		      s->raised_steal_ns, window, NULL);
}

/*
 * Softirq. Interrupts stay off, so that no hard tick comes in between and finds
 * the soft timer due when it has just run.
 */
static enum hrtimer_restart soft_tick(struct hrtimer *timer)
{
	struct sampler *s = container_of(timer, struct sampler, soft);
	u64 period_ns = settings.period_ns;
	u64 latency_ns = 0, raised_ns;
	unsigned long flags;
	u64 now;

	local_irq_save(flags);
	now = ktime_get_ns();
	raised_ns = s->softirqs.began_ns;
	if (raised_ns && now > raised_ns)
		latency_ns = now - raised_ns;
	window_close(&s->softirqs);

	histogram_add(WINDOW_SOFTIRQ, latency_ns, period_ns);
	if (latency_ns >= READ_ONCE(settings.threshold_ns))
		record_softirqs(s, now, latency_ns);

	s->soft_ran_ns = now;
	hrtimer_forward(timer, ns_to_ktime(now), ns_to_ktime(period_ns));
	s->soft_expires_ns = ktime_to_ns(hrtimer_get_expires(timer));
	local_irq_restore(flags);
	return HRTIMER_RESTART;
}

/* On a grid that all CPUs share, each at its place, within one period. */
static u64 first_tick(u64 now, u64 phase_ns)
{
	u64 into_ns, first;

	div64_u64_rem(now, settings.period_ns, &into_ns);
	first = now - into_ns + phase_ns;
	return first > now ? first : first + settings.period_ns;
}

/* On the CPU itself, with its lock. The two timers stay on one grid. */
static void start_timers(struct sampler *s)
{
	u64 now = ktime_get_ns();
	u64 first = first_tick(now, s->phase_ns);

	s->hard_ran_ns = now;
	s->soft_ran_ns = now;
	s->soft_expires_ns = first;
	s->steal_ns = steal_so_far();
	memset(s->unsettled, 0, sizeof(s->unsettled));
	window_close(&s->softirqs);
	watch_start(first);
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

void sampler_start(int cpu, u64 phase_ns)
{
	struct sampler *s = per_cpu_ptr(samplers, cpu);

	raw_spin_lock_irq(&s->lock);
	s->wanted = true;
	s->phase_ns = phase_ns;
	raw_spin_unlock_irq(&s->lock);

	/*
	 * Busy means that an earlier call has not begun: it will find what was
	 * written above. Offline: sampler_cpu_online() will.
	 */
	atomic_inc(&nr_starts);
	if (smp_call_function_single_async(cpu, &s->start))
		atomic_dec(&nr_starts);
}

/* Nobody starts the timers while this runs. */
static void stop_timers(struct sampler *s, int cpu)
{
	watch_stop(cpu);
	hrtimer_cancel(&s->hard);
	hrtimer_cancel(&s->soft);
	watch_stopped(cpu);
	window_close(&s->softirqs);
}

void sampler_stop(int cpu)
{
	struct sampler *s = per_cpu_ptr(samplers, cpu);

	/* From here on nobody starts the timers; those that run are cancelled. */
	raw_spin_lock_irq(&s->lock);
	s->wanted = false;
	s->running = false;
	raw_spin_unlock_irq(&s->lock);
	stop_timers(s, cpu);
}

const struct window *sampler_softirq_window(int cpu)
{
	return &per_cpu_ptr(samplers, cpu)->softirqs;
}

bool sampler_running(int cpu)
{
	return READ_ONCE(per_cpu_ptr(samplers, cpu)->running);
}

void sampler_cpu_online(int cpu)
{
	struct sampler *s = per_cpu_ptr(samplers, cpu);

	watch_cpu_online(cpu);
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
	stop_timers(s, cpu);
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
