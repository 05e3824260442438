// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * An asynchronous IPI starts the monitoring of a CPU. If the CPU has interrupts off, its first tick
 * is late and makes a record; the window may have begun long before the IPI. Any CPU can stop the
 * monitoring: a tick or timer that races with the stop finds @running clear, and does nothing.
 * Context: see cpus.h.
 */
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/spinlock.h>

#include "cpus.h"
#include "detect/delays.h"
#include "detect/nmi.h"
#include "detect/tick.h"
#include "detect/watch.h"
#include "record/record.h"
#include "settings.h"

/*
 * One CPU, with @running of struct tick_cpu:
 *
 *	online  monitor  running  state                        left when
 *	yes     yes      no       watchers check the CPU       it takes the IPI
 *	yes     yes      yes      it ticks, and is checked     online or monitor is cleared
 *	any other        no       nothing is armed             both are set
 */
struct cpus_state {
	bool online;
	bool monitor;			/* between cpus_start() and cpus_stop() */
	unsigned int nr_stops;		/* a start that a stop overtakes is void */
	u64 start_ns;			/* CLOCK_MONOTONIC of cpus_start(); 0: done, or stopped */
};

static DEFINE_PER_CPU(struct cpus_state, cpus_states);

/*
 * Protects @online and @monitor, and the set of CPUs that watchers check. Interrupts are off, so a
 * task that hogs a CPU does not preempt the holder.
 */
static DEFINE_RAW_SPINLOCK(state_lock);

/* Start to tick on this CPU, with interrupts off. */
static void cpus_start_ticks(void)
{
	struct cpus_state *s = this_cpu_ptr(&cpus_states);
	struct tick_cpu *c = this_cpu_ptr(&tick_cpus);
	/* Orders this load before the load of @monitor. Pairs with the release in cpus_change(). */
	unsigned int nr_stops = smp_load_acquire(&s->nr_stops);
	u64 timer_ns = READ_ONCE(settings.timer_ns), start_ns, now;
	int cpu = smp_processor_id();

	/* Orders @monitor before @start_ns. Pairs with the smp_wmb() in cpus_start(). */
	if (!READ_ONCE(s->online) || !smp_load_acquire(&s->monitor) || READ_ONCE(c->running))
		return;
	start_ns = READ_ONCE(s->start_ns);
	now = ktime_get_ns();

	/* The time stolen while the CPU was not monitored belongs to no record. */
	record_settle(true);
	WRITE_ONCE(c->interval_ns, timer_ns);
	c->sched = TICK_SCHED_OFF;
	/* If the IPI was late, @ran_ns is @start_ns: so the first tick is late, and records it. */
	if (!start_ns || now - start_ns < timer_ns + READ_ONCE(settings.late_ns)) {
		WRITE_ONCE(c->ran_ns, now);
		WRITE_ONCE(c->steal_ns, record_steal(cpu));
		WRITE_ONCE(check_window(cpu)->begin_unseen, false);
	}
	softirqs_start(now);
	nosched_start(now);
	WRITE_ONCE(c->running, true);
	tick_timer_start(READ_ONCE(c->ran_ns) + timer_ns);
	/*
	 * Orders the stores above before the load of @nr_stops. Pairs with cpus_change(): either
	 * this sees the stop, or the stopping CPU clears @running last and cancels the timers. Not
	 * @monitor: a new start may have set it again, and sends an IPI of its own.
	 */
	smp_mb();
	if (READ_ONCE(s->nr_stops) != nr_stops)
		WRITE_ONCE(c->running, false);
	else
		WRITE_ONCE(s->start_ns, 0);
}

/* With interrupts off, this CPU starts what it lacks. */
static void cpus_start_all(void)
{
	u64 now;

	cpus_start_ticks();
	now = ktime_get_ns();
	watch_start(now);
	/* No watcher checks this CPU while it is idle: it ticks by our own timer. */
	if (check_is_alone() && cpus_is_running(smp_processor_id()) &&
	    !tick_timer_runs(smp_processor_id()))
		tick_timer_start(now + READ_ONCE(settings.timer_ns));
}

void cpus_on_ipi(void)
{
	cpus_start_all();
	nosched_end_idle(ktime_get_ns());
}

/*
 * @cpu was added or removed. A CPU that is monitored alone ticks by its own timer; with a second
 * one, both may become watchers. So if there is just one other CPU, an IPI makes it start what it
 * lacks.
 */
static void cpus_wake_other(int cpu)
{
	int other, found = cpu;

	for_each_online_cpu(other) {
		const struct cpus_state *s = per_cpu_ptr(&cpus_states, other);

		if (other == cpu || !s->online || !s->monitor)
			continue;
		if (found != cpu)
			return;
		found = other;
	}
	if (found != cpu)
		ipi_send(found);
}

/* Change @online or @monitor of a CPU. Return: whether both are set now, and were not before. */
static bool cpus_change(int cpu, bool *flag, bool value, u64 now)
{
	struct cpus_state *s = per_cpu_ptr(&cpus_states, cpu);
	bool was, is;

	lockdep_assert_held(&state_lock);
	was = s->online && s->monitor;
	WRITE_ONCE(*flag, value);
	is = s->online && s->monitor;
	if (is && !was) {
		watch_add(cpu, now);
		cpus_wake_other(cpu);
	}
	if (was && !is) {
		/* Orders the flag before @nr_stops. Pairs with cpus_start_ticks(). */
		smp_store_release(&s->nr_stops, s->nr_stops + 1);
		/* Orders @nr_stops before @running and timers. Pairs with cpus_start_ticks(). */
		smp_mb();
		WRITE_ONCE(per_cpu(tick_cpus, cpu).running, false);
		WRITE_ONCE(s->start_ns, 0);
		watch_remove(cpu);
		cpus_wake_other(cpu);
	}
	return is && !was;
}

static void cpus_cancel_timers(int cpu)
{
	watch_cancel(cpu);
	tick_timer_cancel(cpu);
	softirqs_stop(cpu);
	nosched_stop(cpu);
}

static void cpus_clear(int cpu, bool *flag)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&state_lock, flags);
	cpus_change(cpu, flag, false, 0);
	raw_spin_unlock_irqrestore(&state_lock, flags);
	cpus_cancel_timers(cpu);
}

void cpus_start(int cpu)
{
	struct cpus_state *s = per_cpu_ptr(&cpus_states, cpu);
	unsigned long flags;
	u64 now;

	raw_spin_lock_irqsave(&state_lock, flags);
	now = ktime_get_ns();
	if (s->online && !s->monitor) {
		WRITE_ONCE(per_cpu(tick_cpus, cpu).ran_ns, now);
		WRITE_ONCE(per_cpu(tick_cpus, cpu).steal_ns, record_steal(cpu));
		WRITE_ONCE(check_window(cpu)->begin_unseen, true);
		WRITE_ONCE(s->start_ns, now);
		/*
		 * Orders these before @monitor. Pairs with cpus_start_ticks(), which an older IPI
		 * may call as soon as @monitor is set.
		 */
		smp_wmb();
	}
	cpus_change(cpu, &s->monitor, true, now);
	ipi_send(cpu);
	raw_spin_unlock_irqrestore(&state_lock, flags);
}

void cpus_stop(int cpu)
{
	cpus_clear(cpu, &per_cpu(cpus_states, cpu).monitor);
}

bool cpus_is_running(int cpu)
{
	return READ_ONCE(per_cpu(tick_cpus, cpu).running);
}

bool cpus_is_late(int cpu)
{
	return READ_ONCE(per_cpu(cpus_states, cpu).start_ns);
}

int cpus_online(unsigned int cpu)
{
	unsigned long flags;
	bool start;

	nmi_cpu_online(cpu);
	if (COUNTER_SUPPORTED)
		counter_cpu_online();
	softirqs_cpu_online(cpu);
	raw_spin_lock_irqsave(&state_lock, flags);
	start = cpus_change(cpu, &per_cpu(cpus_states, cpu).online, true, ktime_get_ns());
	raw_spin_unlock_irqrestore(&state_lock, flags);
	if (start) {
		local_irq_disable();
		cpus_start_all();
		local_irq_enable();
	}
	return 0;
}

int cpus_offline(unsigned int cpu)
{
	cpus_clear(cpu, &per_cpu(cpus_states, cpu).online);
	return 0;
}

void cpus_exit(void)
{
	int cpu;

	ipi_exit();
	/* An IPI that raced with cpus_stop() may have started a timer. */
	for_each_possible_cpu(cpu)
		cpus_cancel_timers(cpu);
}
