// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Watchers: CPUs that check whether other CPUs are stuck.
 *
 * The stack at the end of a hardirq window shows who turned interrupts back on, not what took the
 * time. So another CPU has to notice the window while it is open, and send an NMI.
 *
 * A CPU is stuck if between two checks it has neither ticked nor been idle. What tells that
 * it was idle is a number that changes whenever it goes idle, wakes, or takes an
 * interrupt in idle (compat_idle_seq()). An interrupt handler on an idle CPU, and the softirqs
 * behind it, are found like any other code.
 *
 * There are two watchers, preferably idle CPUs: all busy CPUs may be stuck at once, waiting for
 * one lock. A watcher checks by a timer of its own: each settings.check_ns while some CPU is
 * busy, and each settings.slow_check_ns while all are idle. When a watcher gets work, it
 * hands over to an idle CPU. When no watcher has checked for a while, the tick of any busy CPU
 * checks, and replaces watchers that are silent or stuck.
 *
 * A late tick ends a hardirq window and makes the record (tick.c). An idle CPU has no late tick,
 * as its tick is stopped: there the watcher that finds the CPU alive again makes the record.
 *
 * Context: see watch.h; the timer callback runs in hardirq. A tick never waits for watch_lock.
 */
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/timekeeping.h>

#include "compat.h"
#include "cpus.h"
#include "detect/nmi.h"
#include "detect/tick.h"
#include "detect/tick_timer.h"
#include "detect/watch.h"
#include "record/histogram.h"
#include "record/record.h"
#include "record/sample.h"
#include "record/window.h"
#include "settings.h"

#define NR_WATCHERS	2
#define NO_CPU	(-1)

/* A tick may be this late without being missed: leaving a deep idle state takes time, too. */
#define MISSED_MARGIN_NS	NSEC_PER_MSEC

/* Limits of one check, which runs with interrupts off. The next check goes on from there. */
#define CPUS_MAX	64
#define NMIS_MAX	8

/* After this many checks without a busy CPU the watchers slow down. */
#define BUSY_CHECKS	8

/* How often a CPU that is monitored alone sees to its own timer. */
#define ALONE_CHECK_NS	NSEC_PER_SEC

/* A watcher that is late by this many checks is silent. */
#define SILENT_CHECKS	2

/**
 * struct watched - what the checks know of one CPU; protected by watch_lock
 * @ran_ns: its last tick at the last check
 * @idle_seq: its compat_idle_seq() at the last check
 * @checked_ns: the time of the last check, before these were read
 * @since_ns: it has neither ticked nor been idle since; the time after these were read
 * @alive_ns: it was seen alive then: an open window did not begin before
 * @stuck_ns: the last check that found it stuck
 * @ended_ns: a check found that the window had ended; 0: it has not
 * @next_since_ns: what @since_ns will be when the open window has been closed
 * @next_alive_ns: what @alive_ns will be then
 * @steal_ns: record_steal() of it at @since_ns
 * @idle: the last check found it idle
 *
 * All times are CLOCK_MONOTONIC.
 */
struct watched {
	u64 ran_ns;
	u64 idle_seq;
	u64 checked_ns;
	u64 since_ns;
	u64 alive_ns;
	u64 stuck_ns;
	u64 ended_ns;
	u64 next_since_ns;
	u64 next_alive_ns;
	u64 steal_ns;
	bool idle;
};

/**
 * struct watcher - one of the two
 * @cpu: which CPU, or NO_CPU
 * @due_ns: its next check
 */
struct watcher {
	int cpu;
	u64 due_ns;
};

static DEFINE_PER_CPU(struct watched, watched);
static DEFINE_PER_CPU(struct hrtimer, watch_timers);

static DEFINE_RAW_SPINLOCK(watch_lock);
static struct watcher watchers[NR_WATCHERS];
static u64 last_check_ns;	/* by a watcher or a tick */
static u64 busy_until_ns;
static int last_checked = NO_CPU;
static int last_chosen = NO_CPU;
static bool was_blind;		/* the last check */
static u64 nr_unsampled;

/* CPUs that are monitored, or that cpus_start() has sent an IPI. Changes with watch_lock. */
static struct cpumask members;

bool watch_is_alone(void)
{
	/* A CPU that joins or leaves right now counts or not: either will do. */
	return data_race(cpumask_weight(&members)) < 2;
}

u64 watch_unsampled(void)
{
	return READ_ONCE(nr_unsampled);
}

/* The member after @cpu, round and round; nr_cpu_ids: there is none. */
static int next_member(int cpu)
{
	/* See watch_is_alone(). */
	cpu = data_race(cpumask_next(cpu, &members));
	if (cpu >= nr_cpu_ids)
		/* See watch_is_alone(). */
		cpu = data_race(cpumask_first(&members));
	return cpu;
}

static bool is_busy(u64 now)
{
	return now < READ_ONCE(busy_until_ns);
}

static u64 interval_ns(u64 now)
{
	return is_busy(now) ? READ_ONCE(settings.check_ns) :
			      READ_ONCE(settings.slow_check_ns);
}

/*
 * Close the window of another CPU. Unless a late tick has done so, the CPU was idle before and
 * after it, and the watcher makes the record.
 */
static void end_window(int cpu, struct watched *w, u64 end_ns)
{
	struct window *window = nmi_window(cpu);
	u64 latency_ns = max(w->stuck_ns, w->since_ns) - w->since_ns;
	u64 over_ns;
	unsigned int nr;

	w->ended_ns = 0;
	if (!window_close(window))
		return;
	/* Pairs with window_sample(). */
	nr = smp_load_acquire(&window->nr);
	if (nr && !READ_ONCE(window->idle))
		return;
	if (nr)
		latency_ns = max(latency_ns, window->samples[nr - 1].at_ns - w->since_ns);
	over_ns = READ_ONCE(window->over_ns);
	if (over_ns)
		latency_ns = min(latency_ns, over_ns - w->since_ns);
	if (!nr) {
		if (latency_ns >= READ_ONCE(settings.threshold_ns))
			WRITE_ONCE(nr_unsampled, nr_unsampled + 1);
		return;
	}

	histogram_add_remote(cpu, window->kind, latency_ns, settings.period_ns);
	if (latency_ns >= READ_ONCE(settings.threshold_ns))
		record_add(&(struct ended) {
			.kind = window->kind,
			.cpu = cpu,
			.end_ns = end_ns,
			.latency_ns = latency_ns,
			.max_ns = end_ns - w->alive_ns,
			.steal_ns = w->steal_ns,
			.window = window,
			.nr_samples = nr,
		});
}

/*
 * Open the window of a CPU that is stuck. While the CPU is busy, its next tick was due one interval
 * after the last check that saw it alive.
 */
static void open_window(int cpu, struct watched *w, u64 interval_ns)
{
	struct tick_cpu *c = per_cpu_ptr(&tick_cpus, cpu);
	struct window *window = nmi_window(cpu);

	if (window_began(window) || nmi_is_sampling(cpu))
		return;
	window_open(window, WINDOW_HARDIRQ, w->since_ns + interval_ns, 0);
	/*
	 * If its late tick has just ended the window, that tick must find the new one closed.
	 * Either this sees the new ran_ns, or tick_slowpath() sees the window.
	 */
	smp_mb();
	if (READ_ONCE(c->ran_ns) != w->ran_ns)
		window_close(window);
}

/* An NMI found that the window was over, but the CPU is still not idle: the next window began. */
static void begin_next(int cpu, struct watched *w)
{
	struct window *window = nmi_window(cpu);
	u64 over_ns = READ_ONCE(window->over_ns);
	unsigned int nr = READ_ONCE(window->nr);
	u64 alive_ns = nr ? window->samples[nr - 1].at_ns : w->alive_ns;

	end_window(cpu, w, over_ns);
	w->since_ns = over_ns;
	w->alive_ns = alive_ns;
	w->steal_ns = record_steal(cpu);
}

/* Return: whether an NMI was sent. */
static bool check_stuck(int cpu, struct watched *w, u64 now, bool may_send)
{
	u64 interval_ns = max_t(u64, TICK_NSEC,
				READ_ONCE(per_cpu(tick_cpus, cpu).interval_ns));
	struct window *window = nmi_window(cpu);
	u64 began_ns;

	w->stuck_ns = now;
	began_ns = window_began(window);
	if (began_ns && READ_ONCE(window->over_ns))
		begin_next(cpu, w);
	if (now < w->since_ns + interval_ns + MISSED_MARGIN_NS)
		return false;
	open_window(cpu, w, interval_ns);
	began_ns = window_began(window);
	return began_ns && now > began_ns && may_send &&
	       window_wants(window, now - began_ns) && nmi_request(cpu, now);
}

/* The window of a CPU has been closed, or none was open. */
static void go_on(int cpu, struct watched *w)
{
	w->since_ns = w->next_since_ns;
	w->alive_ns = w->next_alive_ns;
	w->steal_ns = record_steal(cpu);
}

/*
 * The window of a CPU that is alive again is closed by the next check only: a late tick may be
 * about to close it.
 */
static void note_alive(int cpu, struct watched *w, u64 now, u64 ran_ns,
		       u64 idle_seq, bool idle)
{
	/* A counter's NMI may have opened it since the last check: then it has not ended. */
	u64 began_ns = window_began(nmi_window(cpu));

	w->next_since_ns = ktime_get_ns();
	w->next_alive_ns = idle ? now : max(ran_ns, w->checked_ns);
	w->ran_ns = ran_ns;
	w->idle_seq = idle_seq;
	w->idle = idle;

	if (w->ended_ns)
		end_window(cpu, w, w->ended_ns);
	else if (began_ns && began_ns <= w->checked_ns)
		w->ended_ns = w->next_since_ns;
	if (!w->ended_ns)
		go_on(cpu, w);
}

/* Return: whether the CPU is busy. */
static bool check_cpu(int cpu, bool blind, unsigned int *nr_nmis)
{
	struct watched *w = per_cpu_ptr(&watched, cpu);
	u64 now = ktime_get_ns();
	u64 ran_ns = READ_ONCE(per_cpu(tick_cpus, cpu).ran_ns);
	u64 idle_seq = compat_idle_seq(cpu);
	bool idle = compat_seq_is_idle(idle_seq, w->idle_seq, now - w->checked_ns);
	bool alive = idle || ran_ns != w->ran_ns || idle_seq != w->idle_seq;

	/* A host that did not run this CPU may not have run that CPU, either. */
	if (blind && !window_began(nmi_window(cpu)))
		alive = true;
	if (w->ended_ns && !alive) {
		end_window(cpu, w, w->ended_ns);
		go_on(cpu, w);
	}
	if (alive)
		note_alive(cpu, w, now, ran_ns, idle_seq, idle);
	else
		*nr_nmis += check_stuck(cpu, w, now, *nr_nmis < NMIS_MAX);
	w->checked_ns = now;
	return !idle;
}

/*
 * Check the next CPUS_MAX members. With watch_lock.
 * @late_ns: how late this tick or timer is
 */
static void check(u64 now, u64 late_ns, int self)
{
	int first = next_member(last_checked), cpu = first;
	unsigned int left = CPUS_MAX, nr_nmis = 0;
	/* On a host that is always busy each check is late: then it counts all the same. */
	bool blind = late_ns >= READ_ONCE(settings.check_ns) && !was_blind;
	bool busy = !sample_idle_task();

	was_blind = blind;
	WRITE_ONCE(last_check_ns, now);
	if (first >= nr_cpu_ids)
		return;
	do {
		last_checked = cpu;
		if (cpu != self)
			busy |= check_cpu(cpu, blind, &nr_nmis);
		cpu = next_member(cpu);
	} while (cpu != first && cpu < nr_cpu_ids && --left);
	if (busy)
		WRITE_ONCE(busy_until_ns,
			   now + BUSY_CHECKS * READ_ONCE(settings.check_ns));
}

static struct watcher *find_watcher(int cpu)
{
	int i;

	for (i = 0; i < NR_WATCHERS; i++)
		if (READ_ONCE(watchers[i].cpu) == cpu)
			return &watchers[i];
	return NULL;
}

/* An idle member that is no watcher, round robin. Return: NO_CPU if there is none. */
static int find_idle(int self)
{
	int first = next_member(last_chosen), cpu = first;
	unsigned int left = CPUS_MAX;

	if (first >= nr_cpu_ids)
		return NO_CPU;
	do {
		if (cpu != self && per_cpu(watched, cpu).idle && !find_watcher(cpu) &&
		    READ_ONCE(per_cpu(tick_cpus, cpu).running))
			return cpu;
		cpu = next_member(cpu);
	} while (cpu != first && cpu < nr_cpu_ids && --left);
	return NO_CPU;
}

/* Does another watcher check, and is not stuck? */
static bool is_good(const struct watcher *watcher, u64 now)
{
	int cpu = READ_ONCE(watcher->cpu);

	return cpu >= 0 && !window_began(nmi_window(cpu)) &&
	       now < READ_ONCE(watcher->due_ns) + SILENT_CHECKS * READ_ONCE(settings.check_ns);
}

static void start_timer(struct watcher *watcher, u64 now)
{
	u64 due_ns = now + READ_ONCE(settings.check_ns);

	WRITE_ONCE(watcher->due_ns, due_ns);
	hrtimer_start(this_cpu_ptr(&watch_timers), ns_to_ktime(due_ns),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

/*
 * Replace watchers that are silent or stuck, and this CPU if it is busy, by idle CPUs. If there is
 * no idle CPU, this one stays a watcher, or becomes one. With watch_lock.
 */
static void replace_watchers(u64 now, int self)
{
	bool busy = !sample_idle_task();
	int i, cpu;

	for (i = 0; i < NR_WATCHERS; i++) {
		struct watcher *watcher = &watchers[i];

		if (READ_ONCE(watcher->cpu) == self ? !busy : is_good(watcher, now))
			continue;
		cpu = find_idle(self);
		if (cpu < 0 && !find_watcher(self))
			cpu = self;
		if (cpu < 0)
			continue;
		WRITE_ONCE(watcher->cpu, cpu);
		WRITE_ONCE(watcher->due_ns, now + READ_ONCE(settings.check_ns));
		last_chosen = cpu;
		if (cpu == self)
			start_timer(watcher, now);
		else
			cpus_send_ipi(cpu);
	}
}

static void check_and_replace(u64 now, u64 late_ns, int self)
{
	/* Another CPU checks right now. */
	if (!raw_spin_trylock(&watch_lock))
		return;
	check(now, late_ns, self);
	if (!watch_is_alone())
		replace_watchers(now, self);
	raw_spin_unlock(&watch_lock);
}

/* Watchers take turns: the second one half an interval after the first one. */
static u64 next_check(const struct watcher *watcher, u64 now)
{
	u64 interval = interval_ns(now), into_ns;

	now += (watcher - watchers) * interval / NR_WATCHERS;
	div64_u64_rem(now, interval, &into_ns);
	return now - into_ns + interval - (watcher - watchers) * interval / NR_WATCHERS;
}

static enum hrtimer_restart watch_timer_fn(struct hrtimer *timer)
{
	int self = smp_processor_id();
	u64 now = ktime_get_ns();
	u64 late_ns = now - ktime_to_ns(hrtimer_get_expires(timer));
	struct watcher *watcher;
	u64 due_ns;

	if (find_watcher(self) && READ_ONCE(per_cpu(tick_cpus, self).running))
		check_and_replace(now, late_ns, self);
	/* It may have handed over, and started the timer again for another reason. */
	watcher = find_watcher(self);
	if (!watcher || hrtimer_is_queued(timer) || timer != this_cpu_ptr(&watch_timers))
		return HRTIMER_NORESTART;
	due_ns = next_check(watcher, now);
	WRITE_ONCE(watcher->due_ns, due_ns);
	hrtimer_set_expires(timer, ns_to_ktime(due_ns));
	return HRTIMER_RESTART;
}

u64 watch_tick(u64 now, u64 late_ns)
{
	u64 check_ns = READ_ONCE(settings.check_ns);

	if (watch_is_alone()) {
		/* Nobody checks this CPU while it is idle. */
		if (!tick_timer_runs(smp_processor_id()))
			tick_timer_start(now + settings.timer_ns);
		return now + ALONE_CHECK_NS;
	}
	/* Signed: another CPU may have checked after this tick read the clock. */
	if ((s64)(now - READ_ONCE(last_check_ns)) >= (s64)(2 * check_ns))
		check_and_replace(now, late_ns, smp_processor_id());
	return now + check_ns;
}

void watch_ipi(void)
{
	struct watcher *watcher = find_watcher(smp_processor_id());

	if (watcher)
		start_timer(watcher, ktime_get_ns());
}

void watch_start(void)
{
	int self = smp_processor_id(), i;

	this_cpu_ptr(&tick_cpus)->watch_ns = 0;
	for (i = 0; i < NR_WATCHERS && !find_watcher(self); i++)
		cmpxchg(&watchers[i].cpu, NO_CPU, self);
	watch_ipi();
}

void watch_add(int cpu, u64 now)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&watch_lock, flags);
	per_cpu(watched, cpu) = (struct watched) {
		.ran_ns = READ_ONCE(per_cpu(tick_cpus, cpu).ran_ns),
		.checked_ns = now,
		.since_ns = now,
		.alive_ns = now,
		.steal_ns = record_steal(cpu),
	};
	cpumask_set_cpu(cpu, &members);
	raw_spin_unlock_irqrestore(&watch_lock, flags);
}

void watch_remove(int cpu)
{
	struct watcher *watcher;
	unsigned long flags;

	raw_spin_lock_irqsave(&watch_lock, flags);
	cpumask_clear_cpu(cpu, &members);
	watcher = find_watcher(cpu);
	if (watcher)
		WRITE_ONCE(watcher->cpu, NO_CPU);
	raw_spin_unlock_irqrestore(&watch_lock, flags);
	hrtimer_cancel(per_cpu_ptr(&watch_timers, cpu));
	window_close(nmi_window(cpu));
}

void watch_enable(void)
{
	int i;

	for (i = 0; i < NR_WATCHERS; i++)
		WRITE_ONCE(watchers[i].cpu, NO_CPU);
	WRITE_ONCE(last_check_ns, ktime_get_ns());
	WRITE_ONCE(busy_until_ns, 0);
}

void watch_init(void)
{
	int cpu;

	watch_enable();
	for_each_possible_cpu(cpu)
		compat_hrtimer_setup(per_cpu_ptr(&watch_timers, cpu), watch_timer_fn,
				     CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
}
