// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Watchers: CPUs that check whether other CPUs are stuck.
 *
 * The stack at the end of a hardirq window shows who turned interrupts back on, not what took the
 * time. So another CPU has to notice the window while it is open, and send an NMI.
 *
 * There are two watchers, preferably idle CPUs: all busy CPUs may be stuck at once, waiting for
 * one lock. A watcher checks by a timer of its own: each settings.check_ns while some CPU is
 * busy, and each settings.slow_check_ns while all are idle. A watcher that gets work is
 * replaced by an idle CPU. When no watcher has checked for a while, the tick of any busy CPU
 * checks, and replaces the watchers.
 *
 * Context: see watch.h; the timer callback runs in hardirq. A tick never waits for watch_lock.
 */
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/sched/isolation.h>
#include <linux/spinlock.h>

#include "compat.h"
#include "cpus.h"
#include "detect/check.h"
#include "detect/nmi.h"
#include "detect/tick.h"
#include "detect/watch.h"
#include "record/sample.h"
#include "record/window.h"
#include "settings.h"

#define NR_WATCHERS	2
#define NO_CPU	(-1)

/* In intervals of settings.check_ns: */
#define BUSY_CHECKS	8	/* no CPU was busy for this long: the watchers slow down */
#define LOST_CHECKS	2	/* a watcher is late by this much: it is replaced */
#define SILENT_CHECKS	2	/* no watcher checked for this long: a busy CPU's tick checks */
#define SEARCH_MAX	64	/* CPUs to search for an idle one */

/**
 * struct watcher - one of the two
 * @cpu: which CPU, or NO_CPU
 * @due_ns: its next check, CLOCK_MONOTONIC
 */
struct watcher {
	int cpu;
	u64 due_ns;
};

static DEFINE_PER_CPU(struct hrtimer, watch_timers);

/* Held for checks, and for changes of the watchers. */
static DEFINE_RAW_SPINLOCK(watch_lock);
static struct watcher watchers[NR_WATCHERS];
static int last_chosen = NO_CPU;
static u64 busy_until_ns;	/* then the watchers slow down */

u64 watch_due_ns;

static struct watcher *find_watcher(int cpu)
{
	int i;

	for (i = 0; i < NR_WATCHERS; i++)
		if (READ_ONCE(watchers[i].cpu) == cpu)
			return &watchers[i];
	return NULL;
}

/* A nohz_full CPU would seem idle while it runs user space. */
static bool can_watch(int cpu)
{
	return READ_ONCE(per_cpu(tick_cpus, cpu).running) &&
	       housekeeping_test_cpu(cpu, COMPAT_HK_TICK);
}

/* An idle member that is no watcher, round robin. Return: NO_CPU if there is none. */
static int find_idle(int self)
{
	int first = check_next(last_chosen), cpu = first;
	unsigned int left = SEARCH_MAX;

	if (first >= nr_cpu_ids)
		return NO_CPU;
	do {
		last_chosen = cpu;
		if (cpu != self && check_was_idle(cpu) && !find_watcher(cpu) && can_watch(cpu))
			return cpu;
		cpu = check_next(cpu);
	} while (cpu != first && cpu < nr_cpu_ids && --left);
	return NO_CPU;
}

/* Is another watcher idle, and not lost? */
static bool is_good(const struct watcher *watcher, u64 now)
{
	int cpu = READ_ONCE(watcher->cpu);

	return cpu >= 0 && check_was_idle(cpu) &&
	       now < READ_ONCE(watcher->due_ns) + LOST_CHECKS * READ_ONCE(settings.check_ns);
}

static void start_timer(struct watcher *watcher, u64 now)
{
	u64 due_ns = now + READ_ONCE(settings.check_ns);

	WRITE_ONCE(watcher->due_ns, due_ns);
	hrtimer_start(this_cpu_ptr(&watch_timers), ns_to_ktime(due_ns),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

/*
 * Replace watchers that are busy or lost by idle CPUs. If there is no idle CPU, a busy watcher goes
 * on, as the idle one may get stuck next; and this CPU becomes a watcher. With watch_lock.
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
		if (cpu < 0 && find_watcher(self))
			continue;
		if (cpu < 0)
			cpu = self;
		WRITE_ONCE(watcher->cpu, cpu);
		WRITE_ONCE(watcher->due_ns, now + READ_ONCE(settings.check_ns));
		if (cpu == self)
			start_timer(watcher, now);
		else
			cpus_send_ipi(cpu);
	}
}

void watch_check(u64 now, u64 late_ns)
{
	int self = smp_processor_id();

	/* Another CPU checks right now. */
	if (!raw_spin_trylock(&watch_lock))
		return;
	WRITE_ONCE(watch_due_ns, now + SILENT_CHECKS * READ_ONCE(settings.check_ns));
	if (check_cpus(now, late_ns, self))
		WRITE_ONCE(busy_until_ns, now + BUSY_CHECKS * READ_ONCE(settings.check_ns));
	if (!check_is_alone())
		replace_watchers(now, self);
	raw_spin_unlock(&watch_lock);
}

/* The second watcher checks half an interval after the first one. */
static u64 next_check(const struct watcher *watcher, u64 now)
{
	u64 interval = now < READ_ONCE(busy_until_ns) ? READ_ONCE(settings.check_ns) :
							READ_ONCE(settings.slow_check_ns);
	u64 into_ns;

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

	if (!find_watcher(self) || !READ_ONCE(per_cpu(tick_cpus, self).running) ||
	    timer != this_cpu_ptr(&watch_timers))
		return HRTIMER_NORESTART;
	watch_check(now, late_ns);
	/* Meanwhile this CPU may have been replaced, or have started the timer again. */
	watcher = find_watcher(self);
	if (!watcher || hrtimer_is_queued(timer) || check_is_alone())
		return HRTIMER_NORESTART;
	due_ns = next_check(watcher, now);
	WRITE_ONCE(watcher->due_ns, due_ns);
	hrtimer_set_expires(timer, ns_to_ktime(due_ns));
	return HRTIMER_RESTART;
}

void watch_start(void)
{
	int self = smp_processor_id(), i;
	u64 now = ktime_get_ns();
	struct watcher *watcher;

	if (can_watch(self) && raw_spin_trylock(&watch_lock)) {
		for (i = 0; i < NR_WATCHERS && !find_watcher(self); i++)
			if (watchers[i].cpu == NO_CPU)
				WRITE_ONCE(watchers[i].cpu, self);
		raw_spin_unlock(&watch_lock);
	}
	watcher = find_watcher(self);
	if (watcher)
		start_timer(watcher, now);
	/* If this CPU is alone now: no other CPU checks it while it is idle. */
	if (check_is_alone() && READ_ONCE(per_cpu(tick_cpus, self).running) &&
	    !tick_timer_runs(self))
		tick_timer_start(now + settings.timer_ns);
}

/* @cpu was added or removed. A CPU that was alone, or is alone now, starts its timers. */
static void wake_other(int cpu)
{
	int other = check_next(cpu), after;

	if (other >= nr_cpu_ids || other == cpu)
		return;
	after = check_next(other);
	if (after == other || after == cpu)
		cpus_send_ipi(other);
}

void watch_add(int cpu, u64 now)
{
	raw_spin_lock(&watch_lock);
	check_add(cpu, now);
	/* An NMI of the counter may have opened it after the CPU was removed. */
	window_close(nmi_window(cpu));
	raw_spin_unlock(&watch_lock);
	wake_other(cpu);
}

void watch_remove(int cpu)
{
	struct watcher *watcher;

	raw_spin_lock(&watch_lock);
	check_remove(cpu);
	WRITE_ONCE(watch_due_ns, 0);
	watcher = find_watcher(cpu);
	if (watcher)
		WRITE_ONCE(watcher->cpu, NO_CPU);
	window_close(nmi_window(cpu));
	raw_spin_unlock(&watch_lock);
	wake_other(cpu);
}

void watch_cancel(int cpu)
{
	hrtimer_cancel(per_cpu_ptr(&watch_timers, cpu));
}

void watch_enable(void)
{
	int i;

	for (i = 0; i < NR_WATCHERS; i++)
		WRITE_ONCE(watchers[i].cpu, NO_CPU);
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
