// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The monitored CPUs: they start, stop, come and go.
 *
 * An asynchronous IPI starts a CPU. If its interrupts are off, its first tick is
 * late, and the window may have begun long before. Stopping does not need the CPU: a tick or a
 * timer that crosses with the stop finds that the CPU is not running, and does nothing.
 *
 * Context: see cpus.h.
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/ktime.h>

#include "cpus.h"
#include "detect/nmi.h"
#include "detect/softirq.h"
#include "detect/tick.h"
#include "detect/watch.h"
#include "record/record.h"
#include "settings.h"

/**
 * struct cpu_state - one CPU
 * @csd: the IPI
 * @sent: bit 0: the IPI has been sent, and its function has not begun
 * @online: the CPU takes part in the system
 * @monitor: the CPU is to be monitored
 * @start_ns: when cpus_start() sent the IPI; 0: the CPU has started. CLOCK_MONOTONIC
 */
struct cpu_state {
	call_single_data_t csd;
	unsigned long sent;
	bool online;
	bool monitor;
	u64 start_ns;
};

static DEFINE_PER_CPU(struct cpu_state, cpu_states);

/*
 * Protects @online and @monitor, and that watchers check the CPUs for which both are set.
 * Interrupts are off while it is held: a task that hogs a CPU delays no other CPU.
 */
static DEFINE_RAW_SPINLOCK(state_lock);

/* IPIs that have been sent and have not returned. */
static atomic_t nr_ipis;

/* On that CPU, interrupts off. */
static void start_monitoring(void)
{
	struct cpu_state *s = this_cpu_ptr(&cpu_states);
	struct tick_cpu *c = this_cpu_ptr(&tick_cpus);
	u64 start_ns = READ_ONCE(s->start_ns), now = ktime_get_ns();
	int cpu = smp_processor_id();

	if (!READ_ONCE(s->online) || !READ_ONCE(s->monitor) || READ_ONCE(c->running))
		return;

	WRITE_ONCE(c->ran_ns, now);
	WRITE_ONCE(c->interval_ns, settings.timer_ns);
	c->sched = TICK_SCHED_OFF;
	if (start_ns && now - start_ns >= settings.timer_ns + READ_ONCE(settings.late_ns)) {
		/* The first tick is late, and makes a record of what has delayed the start. */
		WRITE_ONCE(c->ran_ns, start_ns);
	} else {
		WRITE_ONCE(c->steal_ns, record_steal(cpu));
		WRITE_ONCE(nmi_window(cpu)->begin_unseen, false);
	}
	softirqs_start(now);
	WRITE_ONCE(c->running, true);
	WRITE_ONCE(s->start_ns, 0);
	tick_timer_start(c->ran_ns + settings.timer_ns);
	/* cpus_stop() may have come in between. Pairs with cancel_timers(). */
	smp_mb();
	if (!READ_ONCE(s->monitor))
		WRITE_ONCE(c->running, false);
}

static void on_ipi(void *unused)
{
	/* The IPI may be sent again from here on. Read what the sender wrote only after this. */
	clear_bit(0, &this_cpu_ptr(&cpu_states)->sent);
	smp_mb__after_atomic();	/* pairs with cpus_send_ipi() */
	start_monitoring();
	watch_start();
	atomic_dec(&nr_ipis);
}

void cpus_send_ipi(int cpu)
{
	struct cpu_state *s = per_cpu_ptr(&cpu_states, cpu);

	/* An IPI whose function has not begun finds what was written before this. */
	smp_mb__before_atomic();
	if (test_and_set_bit(0, &s->sent))
		return;
	atomic_inc(&nr_ipis);
	if (!smp_call_function_single_async(cpu, &s->csd))
		return;
	clear_bit(0, &s->sent);
	atomic_dec(&nr_ipis);
}

/*
 * Change whether a CPU is online, or to be monitored. Return: whether it is now monitored from
 * @now on.
 */
static bool change(int cpu, bool *flag, bool value, u64 now)
{
	struct cpu_state *s = per_cpu_ptr(&cpu_states, cpu);
	bool was, is;

	lockdep_assert_held(&state_lock);
	was = s->online && s->monitor;
	WRITE_ONCE(*flag, value);
	is = s->online && s->monitor;
	if (is && !was)
		watch_add(cpu, now);
	if (was && !is) {
		WRITE_ONCE(per_cpu(tick_cpus, cpu).running, false);
		WRITE_ONCE(s->start_ns, 0);
		watch_remove(cpu);
	}
	return is && !was;
}

/* Timers that are still queued find that the CPU is not running. */
static void cancel_timers(int cpu)
{
	smp_mb();	/* pairs with start_monitoring() */
	watch_cancel(cpu);
	tick_timer_cancel(cpu);
	softirqs_stop(cpu);
}

void cpus_start(int cpu)
{
	struct cpu_state *s = per_cpu_ptr(&cpu_states, cpu);
	unsigned long flags;
	u64 now;

	raw_spin_lock_irqsave(&state_lock, flags);
	now = ktime_get_ns();
	if (change(cpu, &s->monitor, true, now)) {
		WRITE_ONCE(per_cpu(tick_cpus, cpu).steal_ns, record_steal(cpu));
		WRITE_ONCE(nmi_window(cpu)->begin_unseen, true);
		WRITE_ONCE(s->start_ns, now);
	}
	cpus_send_ipi(cpu);
	raw_spin_unlock_irqrestore(&state_lock, flags);
}

void cpus_stop(int cpu)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&state_lock, flags);
	change(cpu, &per_cpu_ptr(&cpu_states, cpu)->monitor, false, 0);
	raw_spin_unlock_irqrestore(&state_lock, flags);
	cancel_timers(cpu);
}

bool cpus_is_running(int cpu)
{
	return READ_ONCE(per_cpu(tick_cpus, cpu).running);
}

bool cpus_is_late(int cpu)
{
	return READ_ONCE(per_cpu(cpu_states, cpu).start_ns);
}

int cpus_online(unsigned int cpu)
{
	unsigned long flags;
	bool start;

	nmi_cpu_online(cpu);
	softirqs_cpu_online(cpu);
	raw_spin_lock_irqsave(&state_lock, flags);
	start = change(cpu, &per_cpu_ptr(&cpu_states, cpu)->online, true, ktime_get_ns());
	raw_spin_unlock_irqrestore(&state_lock, flags);
	if (start) {
		local_irq_disable();
		start_monitoring();
		watch_start();
		local_irq_enable();
	}
	return 0;
}

int cpus_offline(unsigned int cpu)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&state_lock, flags);
	change(cpu, &per_cpu_ptr(&cpu_states, cpu)->online, false, 0);
	raw_spin_unlock_irqrestore(&state_lock, flags);
	cancel_timers(cpu);
	return 0;
}

void cpus_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(cpu_states, cpu).csd.func = on_ipi;
}

void cpus_exit(void)
{
	int cpu;

	while (atomic_read(&nr_ipis))
		usleep_range(1000, 2000);
	/* The last IPI has counted itself off, but may not have returned. */
	synchronize_rcu();
	/* An IPI that crossed with a stop may have started a timer. */
	for_each_possible_cpu(cpu)
		cancel_timers(cpu);
}
