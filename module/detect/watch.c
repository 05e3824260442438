// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The end of a hardirq window shows what enabled interrupts, not what took the time. So two
 * watchers look for open windows (check.c): idle CPUs if there are any, as all busy CPUs may wait
 * for one lock. Context: see watch.h; the timer callback runs in hardirq. A tick only tries
 * watch_lock.
 *
 *	who checks                   interval                  while
 *	each watcher, by a timer     settings.check_ns         a CPU is busy, or was recently
 *	                             settings.slow_check_ns    all CPUs are idle
 *	the tick of any busy CPU     SILENT_CHECKS intervals   no watcher has checked
 */
#include <linux/hrtimer.h>
#include <linux/ktime.h>
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
#define NO_CPU		(-1)
#define SEARCH_MAX	64	/* CPUs to search for an idle one */

/* Times in units of settings.check_ns */
#define BUSY_CHECKS	8	/* the watchers slow down when no CPU was busy for this long */
#define LOST_CHECKS	2	/* a watcher that is late by this much is lost */
#define SILENT_CHECKS	2	/* ticks check when no watcher has for this long */

struct watcher {
	int cpu;	/* or NO_CPU */
	u64 due_ns;	/* of the next check, CLOCK_MONOTONIC */
};

static DEFINE_PER_CPU(struct hrtimer, watch_timers);

/* Protects the state of check.c and changes of @watchers, which is read without the lock. */
static DEFINE_RAW_SPINLOCK(watch_lock);
static struct watcher watchers[NR_WATCHERS];
static int last_chosen = NO_CPU;
static u64 busy_until_ns;	/* from then on watchers are slow */

u64 watch_due_ns;

static struct watcher *watch_find(int cpu)
{
	int i;

	for (i = 0; i < NR_WATCHERS; i++)
		if (READ_ONCE(watchers[i].cpu) == cpu)
			return &watchers[i];
	return NULL;
}

/* Not a nohz_full CPU, which seems idle while it runs user space. */
static bool watch_is_able(int cpu)
{
	return READ_ONCE(per_cpu(tick_cpus, cpu).running) &&
	       housekeeping_test_cpu(cpu, COMPAT_HK_TICK);
}

/* Return: the next idle CPU that is not a watcher, in turn; NO_CPU if there is none. */
static int watch_find_idle(int self)
{
	int first = check_next(last_chosen), cpu = first;
	unsigned int left = SEARCH_MAX;

	if (first >= nr_cpu_ids)
		return NO_CPU;
	do {
		last_chosen = cpu;
		if (cpu != self && check_was_idle(cpu) && !watch_find(cpu) && watch_is_able(cpu))
			return cpu;
		cpu = check_next(cpu);
	} while (cpu != first && cpu < nr_cpu_ids && --left);
	return NO_CPU;
}

static bool watch_is_good(const struct watcher *watcher, u64 now)
{
	int cpu = READ_ONCE(watcher->cpu);

	return cpu >= 0 && check_was_idle(cpu) &&
	       now < READ_ONCE(watcher->due_ns) + LOST_CHECKS * READ_ONCE(settings.check_ns);
}

static void watch_start_timer(struct watcher *watcher, u64 now)
{
	u64 due_ns = now + READ_ONCE(settings.check_ns);

	WRITE_ONCE(watcher->due_ns, due_ns);
	hrtimer_start(this_cpu_ptr(&watch_timers), ns_to_ktime(due_ns),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

/*
 * With watch_lock: replace watchers that are busy or lost by idle CPUs. If no CPU is idle, this CPU
 * becomes a watcher, but replaces one only: the other may still notice when this CPU gets stuck.
 */
static void watch_replace(u64 now, int self)
{
	bool busy = !sample_idle_task();
	int i, cpu;

	for (i = 0; i < NR_WATCHERS; i++) {
		struct watcher *watcher = &watchers[i];

		if (READ_ONCE(watcher->cpu) == self ? !busy : watch_is_good(watcher, now))
			continue;
		cpu = watch_find_idle(self);
		if (cpu < 0 && watch_find(self))
			continue;
		if (cpu < 0)
			cpu = self;
		WRITE_ONCE(watcher->cpu, cpu);
		WRITE_ONCE(watcher->due_ns, now + READ_ONCE(settings.check_ns));
		if (cpu == self)
			watch_start_timer(watcher, now);
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
	if (check_cpus(late_ns, self))
		WRITE_ONCE(busy_until_ns, now + BUSY_CHECKS * READ_ONCE(settings.check_ns));
	if (!check_is_alone())
		watch_replace(now, self);
	raw_spin_unlock(&watch_lock);
}

/* The second watcher checks half an interval after the first one. */
static u64 watch_next_check(const struct watcher *watcher, u64 now)
{
	u64 interval_ns = now < READ_ONCE(busy_until_ns) ? READ_ONCE(settings.check_ns) :
							   READ_ONCE(settings.slow_check_ns);
	u64 offset_ns = (watcher - watchers) * interval_ns / NR_WATCHERS;

	return now + interval_ns - (now + offset_ns) % interval_ns;
}

static enum hrtimer_restart watch_timer_fn(struct hrtimer *timer)
{
	int self = smp_processor_id();
	u64 now = ktime_get_ns();
	u64 late_ns = now - ktime_to_ns(hrtimer_get_expires(timer));
	struct watcher *watcher;
	u64 due_ns;

	if (!watch_find(self) || !READ_ONCE(per_cpu(tick_cpus, self).running) ||
	    timer != this_cpu_ptr(&watch_timers))
		return HRTIMER_NORESTART;
	watch_check(now, late_ns);
	/* watch_check() may have replaced this CPU, or have started its timer. */
	watcher = watch_find(self);
	if (!watcher || hrtimer_is_queued(timer) || check_is_alone())
		return HRTIMER_NORESTART;
	due_ns = watch_next_check(watcher, now);
	WRITE_ONCE(watcher->due_ns, due_ns);
	hrtimer_set_expires(timer, ns_to_ktime(due_ns));
	return HRTIMER_RESTART;
}

void watch_start(void)
{
	int self = smp_processor_id(), i;
	u64 now = ktime_get_ns();
	struct watcher *watcher;

	if (watch_is_able(self) && raw_spin_trylock(&watch_lock)) {
		for (i = 0; i < NR_WATCHERS && !watch_find(self); i++)
			if (watchers[i].cpu == NO_CPU)
				WRITE_ONCE(watchers[i].cpu, self);
		raw_spin_unlock(&watch_lock);
	}
	watcher = watch_find(self);
	if (watcher)
		watch_start_timer(watcher, now);
	if (check_is_alone() && READ_ONCE(per_cpu(tick_cpus, self).running) &&
	    !tick_timer_runs(self))
		tick_timer_start(now + READ_ONCE(settings.timer_ns));
}

/* @cpu was added or removed. If one CPU is left beside @cpu, that CPU has to start its timers. */
static void watch_wake_other(int cpu)
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
	/* An NMI of the counter may have opened the window after watch_remove(). */
	window_close(nmi_window(cpu));
	raw_spin_unlock(&watch_lock);
	watch_wake_other(cpu);
}

void watch_remove(int cpu)
{
	struct watcher *watcher;

	raw_spin_lock(&watch_lock);
	check_remove(cpu);
	WRITE_ONCE(watch_due_ns, 0);
	watcher = watch_find(cpu);
	if (watcher)
		WRITE_ONCE(watcher->cpu, NO_CPU);
	window_close(nmi_window(cpu));
	raw_spin_unlock(&watch_lock);
	watch_wake_other(cpu);
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

	for_each_possible_cpu(cpu)
		compat_hrtimer_setup(per_cpu_ptr(&watch_timers, cpu), watch_timer_fn,
				     CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
}
