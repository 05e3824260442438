// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The monitored CPUs: they start, stop, come and go.
 *
 * An asynchronous IPI starts a CPU. If its interrupts are off, its first tick is
 * late, and the window may have begun long before. To stop a CPU needs nothing of it: a tick or a
 * timer that crosses with the stop finds that the CPU is not running, and does nothing.
 *
 * Context: see cpus.h.
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
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
 * @csd: of the IPI
 * @sent: bit 0: the IPI has been sent, and its function has not begun
 * @online: the CPU takes part in the system
 * @wanted: the CPU is to be monitored
 * @start_ns: when cpus_start() sent the IPI; 0: the CPU has started. CLOCK_MONOTONIC
 */
struct cpu_state {
	call_single_data_t csd;
	unsigned long sent;
	bool online;
	bool wanted;
	u64 start_ns;
};

static DEFINE_PER_CPU(struct cpu_state, cpu_states);

/* IPIs that have been sent and have not returned. */
static atomic_t nr_ipis;

/* On that CPU, interrupts off. */
static void start_if_wanted(void)
{
	struct cpu_state *s = this_cpu_ptr(&cpu_states);
	struct tick_cpu *c = this_cpu_ptr(&tick_cpus);
	u64 now = ktime_get_ns(), start_ns = READ_ONCE(s->start_ns);
	int cpu = smp_processor_id();

	if (!READ_ONCE(s->online) || !READ_ONCE(s->wanted) || READ_ONCE(c->running))
		return;

	WRITE_ONCE(c->ran_ns, now);
	WRITE_ONCE(c->interval_ns, settings.timer_ns);
	c->sched = TICK_SCHED_OFF;
	if (start_ns && now - start_ns >= settings.period_ns) {
		/* The first tick makes a record of what has kept this CPU from starting. */
		WRITE_ONCE(c->ran_ns, start_ns);
	} else {
		WRITE_ONCE(c->steal_ns, record_steal(cpu));
		WRITE_ONCE(nmi_window(cpu)->begin_unseen, false);
	}
	softirqs_start(now);
	WRITE_ONCE(c->running, true);
	WRITE_ONCE(s->start_ns, 0);
	tick_timer_start(c->ran_ns + settings.timer_ns);
	watch_start();
	/* cpus_stop() may have come in between: pairs with the smp_mb() there. */
	smp_mb();
	if (!READ_ONCE(s->wanted))
		WRITE_ONCE(c->running, false);
}

static void on_ipi(void *unused)
{
	/* From here on it may be sent again. What was written before that is read below. */
	clear_bit(0, &this_cpu_ptr(&cpu_states)->sent);
	smp_mb__after_atomic();	/* pairs with cpus_send_ipi() */
	start_if_wanted();
	watch_ipi();
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

void cpus_start(int cpu)
{
	struct cpu_state *s = per_cpu_ptr(&cpu_states, cpu);
	u64 now = ktime_get_ns();

	preempt_disable();
	if (READ_ONCE(s->online)) {
		WRITE_ONCE(per_cpu(tick_cpus, cpu).steal_ns, record_steal(cpu));
		WRITE_ONCE(nmi_window(cpu)->begin_unseen, true);
		WRITE_ONCE(s->start_ns, now);
		watch_add(cpu, now);
	}
	WRITE_ONCE(s->wanted, true);
	cpus_send_ipi(cpu);
	preempt_enable();
}

static void stop(int cpu)
{
	WRITE_ONCE(per_cpu(tick_cpus, cpu).running, false);
	WRITE_ONCE(per_cpu(cpu_states, cpu).start_ns, 0);
	watch_remove(cpu);
	tick_timer_cancel(cpu);
	softirqs_stop(cpu);
}

void cpus_stop(int cpu)
{
	WRITE_ONCE(per_cpu(cpu_states, cpu).wanted, false);
	smp_mb();	/* pairs with start_if_wanted() */
	stop(cpu);
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
	struct cpu_state *s = per_cpu_ptr(&cpu_states, cpu);

	nmi_cpu_online(cpu);
	softirqs_cpu_online(cpu);
	WRITE_ONCE(s->online, true);
	if (READ_ONCE(s->wanted)) {
		watch_add(cpu, ktime_get_ns());
		local_irq_disable();
		start_if_wanted();
		local_irq_enable();
	}
	return 0;
}

int cpus_offline(unsigned int cpu)
{
	WRITE_ONCE(per_cpu(cpu_states, cpu).online, false);
	stop(cpu);
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
		stop(cpu);
}
