// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The end of a hardirq window shows what enabled interrupts, not what took the time. So two
 * watchers of each group check for stuck CPUs (check.c). Idle CPUs are preferred: all busy CPUs may
 * wait for one lock. Context: see watch.h; the timer callback runs in hardirq. A tick only tries
 * the lock of a group.
 *
 *	who checks a group              when
 *	each of its watchers, by timer  each settings.check_ns, while a CPU of the group is or was
 *	                                recently busy; else each settings.slow_check_ns
 *	the next tick of its CPUs       no watcher has checked for 3/4 of this interval: the group
 *	                                is silent
 *
 * A CPU that checks its group then looks at the next GROUPS_MAX groups that have monitored CPUs. It
 * checks each group with one monitored CPU, which cannot check itself. It also checks the group
 * that is silent for the longest time: all CPUs of that group may be stuck.
 */
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched/isolation.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/topology.h>

#include "compat.h"
#include "detect/delays.h"
#include "detect/nmi.h"
#include "detect/tick.h"
#include "detect/watch.h"
#include "record/record.h"
#include "record/sample.h"
#include "settings.h"

/* Times in units of settings.check_ns */
#define BUSY_CHECKS	8	/* the watchers slow down when no CPU was busy for this long */
#define LOST_CHECKS	2	/* a watcher that is late by this much is lost */

#define GROUPS_MAX	16

static DEFINE_PER_CPU(struct hrtimer, watch_timers);
unsigned int watch_nr_groups;

static struct watcher *watch_find(struct group *group, int cpu)
{
	int i;

	for (i = 0; i < NR_WATCHERS; i++)
		if (READ_ONCE(group->watchers[i].cpu) == cpu)
			return &group->watchers[i];
	return NULL;
}

/* Not a nohz_full CPU, which seems idle while it runs user space. */
static bool watch_is_able(int cpu)
{
	return READ_ONCE(per_cpu(tick_cpus, cpu).running) &&
	       housekeeping_test_cpu(cpu, COMPAT_HK_TICK);
}

/* Return: the next idle CPU that is not a watcher, in turn; NO_CPU if there is none. */
static int watch_find_idle(struct group *group, int self)
{
	unsigned int n, i;
	int cpu;

	for (n = 1; n <= group->nr_cpus; n++) {
		i = (group->last_chosen + n) % group->nr_cpus;
		cpu = group->cpus[i];
		if (cpu != self && test_bit(i, &group->checked) && test_bit(i, &group->idle) &&
		    !watch_find(group, cpu) && watch_is_able(cpu)) {
			group->last_chosen = i;
			return cpu;
		}
	}
	return NO_CPU;
}

static bool watch_is_good(const struct group *group, const struct watcher *watcher, u64 now)
{
	int cpu = READ_ONCE(watcher->cpu);

	return cpu != NO_CPU && test_bit(per_cpu(tick_cpus, cpu).position, &group->idle) &&
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
 * With the lock of @group: idle CPUs replace watchers that are busy or lost. If there is none, this
 * CPU replaces one watcher only: the other still checks this CPU.
 */
static void watch_replace(struct group *group, u64 now, int self)
{
	bool busy = !sample_idle_task();
	int i, cpu;

	for (i = 0; i < NR_WATCHERS; i++) {
		struct watcher *watcher = &group->watchers[i];

		if (READ_ONCE(watcher->cpu) == self ? !busy : watch_is_good(group, watcher, now))
			continue;
		cpu = watch_find_idle(group, self);
		if (cpu == NO_CPU && watch_find(group, self))
			continue;
		if (cpu == NO_CPU)
			cpu = self;
		WRITE_ONCE(watcher->cpu, cpu);
		WRITE_ONCE(watcher->due_ns, now + READ_ONCE(settings.check_ns));
		if (cpu == self)
			watch_start_timer(watcher, now);
		else
			ipi_send(cpu);
	}
}

static u64 watch_interval_ns(const struct group *group, u64 now)
{
	return now < READ_ONCE(group->busy_until_ns) ? READ_ONCE(settings.check_ns) :
						       READ_ONCE(settings.slow_check_ns);
}

/* @own: the group of this CPU. Return: whether a CPU is busy. */
static bool watch_check_group(struct group *group, const struct group *own, u64 now, u64 late_ns)
{
	struct check check;

	/* Another CPU checks right now. */
	if (!raw_spin_trylock(&group->lock))
		return false;
	check_cpus(&check, group, late_ns);
	if (check.busy)
		WRITE_ONCE(group->busy_until_ns,
			   now + BUSY_CHECKS * READ_ONCE(settings.check_ns));
	/* Another group counts as silent again soon, so that the next check helps it again. */
	WRITE_ONCE(group->silent_from_ns,
		   now + (group == own ? 3 : 1) * watch_interval_ns(group, now) / 4);
	if (group == own && !check_is_alone())
		watch_replace(group, now, smp_processor_id());
	raw_spin_unlock(&group->lock);
	check_finish(&check);
	return check.busy;
}

void watch_check(u64 now, u64 late_ns)
{
	struct group *own = this_cpu_read(tick_cpus.group), *group, *silent = NULL;
	bool busy = watch_check_group(own, own, now, late_ns);
	int left = GROUPS_MAX;

	for (group = own->next; group != own && left; group = group->next) {
		unsigned long checked = READ_ONCE(group->checked);
		u64 silent_ns = READ_ONCE(group->silent_from_ns);

		left -= !!checked;
		if (checked && !(checked & (checked - 1)))
			busy |= watch_check_group(group, own, now, late_ns);
		else if (checked && now >= silent_ns &&
			 (!silent || silent_ns < READ_ONCE(silent->silent_from_ns)))
			silent = group;
	}
	if (silent)
		busy |= watch_check_group(silent, own, now, late_ns);
	if (busy)
		WRITE_ONCE(own->busy_until_ns, now + BUSY_CHECKS * READ_ONCE(settings.check_ns));
	nosched_end_idle(now);
}

static enum hrtimer_restart watch_timer_fn(struct hrtimer *timer)
{
	struct group *group = this_cpu_read(tick_cpus.group);
	int self = smp_processor_id();
	u64 now = ktime_get_ns();
	u64 late_ns = now - ktime_to_ns(hrtimer_get_expires(timer));
	struct watcher *watcher;
	u64 interval_ns, offset_ns, due_ns;

	if (!watch_find(group, self) || !READ_ONCE(per_cpu(tick_cpus, self).running) ||
	    timer != this_cpu_ptr(&watch_timers))
		return HRTIMER_NORESTART;
	watch_check(now, late_ns);
	if (sample_idle_task() && softirq_count())
		softirqs_tick_idle(now, this_cpu_read(tick_cpus.ran_ns));
	/* watch_check() may have replaced this CPU, or have started its timer. */
	watcher = watch_find(group, self);
	if (!watcher || hrtimer_is_queued(timer) || check_is_alone())
		return HRTIMER_NORESTART;
	/* The second watcher checks half an interval after the first one. */
	interval_ns = watch_interval_ns(group, now);
	offset_ns = (watcher - group->watchers) * interval_ns / NR_WATCHERS;
	due_ns = now + interval_ns - (now + offset_ns) % interval_ns;
	WRITE_ONCE(watcher->due_ns, due_ns);
	hrtimer_set_expires(timer, ns_to_ktime(due_ns));
	return HRTIMER_RESTART;
}

void watch_start(u64 now)
{
	struct group *group = this_cpu_read(tick_cpus.group);
	int self = smp_processor_id(), i;
	struct watcher *watcher;

	if (watch_is_able(self) && raw_spin_trylock(&group->lock)) {
		for (i = 0; i < NR_WATCHERS && !watch_find(group, self); i++)
			if (group->watchers[i].cpu == NO_CPU)
				WRITE_ONCE(group->watchers[i].cpu, self);
		raw_spin_unlock(&group->lock);
	}
	watcher = watch_find(group, self);
	if (watcher)
		watch_start_timer(watcher, now);
}

void watch_add(int cpu, u64 now)
{
	struct group *group = per_cpu(tick_cpus, cpu).group;

	raw_spin_lock(&group->lock);
	check_add(cpu, now);
	/* An NMI of the counter may have opened the window after watch_remove(). */
	window_drop(check_window(cpu));
	raw_spin_unlock(&group->lock);
}

void watch_remove(int cpu)
{
	struct group *group = per_cpu(tick_cpus, cpu).group;
	struct watcher *watcher;

	raw_spin_lock(&group->lock);
	check_remove(cpu);
	WRITE_ONCE(group->silent_from_ns, 0);
	watcher = watch_find(group, cpu);
	if (watcher)
		WRITE_ONCE(watcher->cpu, NO_CPU);
	window_drop(check_window(cpu));
	raw_spin_unlock(&group->lock);
}

void watch_cancel(int cpu)
{
	hrtimer_cancel(per_cpu_ptr(&watch_timers, cpu));
}

/* Return: a group of this node with room for one more CPU; or a new group; NULL: no memory. */
static struct group *watch_get_group(struct group *last, int node)
{
	struct group *group = last;
	int i;

	while (group) {
		if (group->nr_cpus < GROUP_CPUS && cpu_to_node(group->cpus[0]) == node)
			return group;
		group = group->next != last ? group->next : NULL;
	}
	group = kzalloc_node(sizeof(*group), GFP_KERNEL, node);
	if (!group)
		return NULL;
	watch_nr_groups++;
	raw_spin_lock_init(&group->lock);
	for (i = 0; i < NR_WATCHERS; i++)
		group->watchers[i].cpu = NO_CPU;
	group->next = last ? last->next : group;
	if (last)
		last->next = group;
	return group;
}

int watch_init(void)
{
	struct group *group = NULL;
	int cpu;

	BUILD_BUG_ON(GROUP_CPUS < 1 || GROUP_CPUS > BITS_PER_LONG);
	for_each_possible_cpu(cpu) {
		struct tick_cpu *c = per_cpu_ptr(&tick_cpus, cpu);

		compat_hrtimer_setup(per_cpu_ptr(&watch_timers, cpu), watch_timer_fn,
				     CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
		group = watch_get_group(group, cpu_to_node(cpu));
		if (!group)
			return -ENOMEM;
		c->group = group;
		c->position = group->nr_cpus;
		group->cpus[group->nr_cpus++] = cpu;
	}
	return 0;
}

/* The first CPU of each group has position 0. If watch_init() has failed, some have no group. */
void watch_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (!per_cpu(tick_cpus, cpu).position)
			kfree(per_cpu(tick_cpus, cpu).group);
}
