// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * A CPU is stuck if it has neither ticked nor been idle (compat_idle_seq()) between two checks. A
 * check opens a window for that CPU, and requests samples. If the CPU is busy, its late tick closes
 * the window and makes the record (tick.c). An idle CPU may have stopped its tick: the first check
 * that finds the CPU alive closes the window and makes the record. For the same reason, an idle CPU
 * that has a nosched window open gets an IPI, which ends that window.
 *
 * A check keeps interrupts off. If all CPUs are alive, it reads the clock twice for the whole
 * group (before 6.0, compat_idle_seq() reads it twice for each CPU), and writes to the state of a
 * CPU only if that CPU has changed. Context: see watch.h.
 */
#include <linux/bitops.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

#include "compat.h"
#include "detect/delays.h"
#include "detect/nmi.h"
#include "detect/tick.h"
#include "detect/watch.h"
#include "record/announce.h"
#include "record/record.h"
#include "record/sample.h"
#include "record/window.h"
#include "settings.h"

/* A tick that is late by less is not missed: a CPU takes time to leave a deep idle state. */
#define MISSED_MARGIN_NS	NSEC_PER_MSEC

#define NMIS_MAX	8	/* in one check, which has interrupts off */

/*
 * What the checks know of one CPU. Times are CLOCK_MONOTONIC.
 *
 *	window   CPU     the check
 *	closed   alive   clears @since_ns
 *	closed   stuck   sets @since_ns; opens the window when a tick has been missed
 *	open     stuck   requests a sample when one is due
 *	open     alive   closes the window, then does as for a closed window
 */
struct check_cpu {
	u64 ran_ns;		/* the CPU's newest tick, as the last check read it */
	u64 idle_seq;		/* compat_idle_seq(), as the last check read it */
	u64 since_ns;		/* the CPU has neither ticked nor been idle since; 0: it is alive */

	/* Of a CPU that is stuck: */
	u64 alive_ns;		/* the CPU was last seen alive then: its window began later */
	u64 steal_ns;		/* record_steal() at the first check that found it stuck */
	u64 stuck_ns;		/* the last check that found it stuck */
};

static DEFINE_PER_CPU_ALIGNED(struct check_cpu, check_states);

/* Written by the check that ends a window, until it has made the record (WINDOW_ENDING). */
static DEFINE_PER_CPU(struct window_end, window_ends);

/* CPUs that tick, or that cpus_start() has sent an IPI. */
static unsigned int nr_checked;

bool check_is_alone(void)
{
	return READ_ONCE(nr_checked) < 2;
}

u64 check_steal_ns(int cpu)
{
	return READ_ONCE(per_cpu(check_states, cpu).steal_ns);
}

bool check_was_idle_since(void)
{
	int cpu = smp_processor_id();

	return COMPAT_IDLE_NOW &&
	       compat_idle_seq(cpu) != READ_ONCE(per_cpu(check_states, cpu).idle_seq);
}

/*
 * Close a window that has ended on an idle CPU, unless a late tick has closed it. Without a
 * sample, assume that the idle task ran an interrupt handler or softirqs: both delay softirqs.
 * Return: whether check_finish() is to call window_end(); until then, it is WINDOW_ENDING.
 */
static bool check_end_window(int cpu, struct check_cpu *c, u64 end_ns)
{
	struct window *window = check_window(cpu);
	u64 latency_ns = max(c->stuck_ns, c->since_ns) - c->since_ns;
	struct window_end *end = per_cpu_ptr(&window_ends, cpu);
	enum sample_state state;
	enum window_kind kind;
	u64 over_ns, began_ns;
	unsigned int nr;
	bool sampling;

	began_ns = window_close(window, WINDOW_ENDING);
	if (!began_ns)
		return false;
	/* Before the load of @nr: an NMI handler may overwrite samples, but not the first two. */
	sampling = nmi_is_sampling(cpu);
	/* Orders loads of the samples after this one. Pairs with window_sample(). */
	nr = smp_load_acquire(&window->nr);
	if (sampling)
		nr = min(nr, 2U);
	/* After the load of @nr: an NMI sets the kind with the first sample. */
	kind = READ_ONCE(window->kind);
	over_ns = READ_ONCE(window->over_ns);
	if (READ_ONCE(window->irqs_on)) {
		state = STATE_IRQ_ON;
		nr = 0;
	} else if (window_was_paused(window, end_ns)) {
		state = STATE_PAUSED;
	} else if (nr) {
		state = window_newest(window, nr)->state;
	} else if (!over_ns) {
		state = STATE_UNSAMPLED;
		kind = WINDOW_SOFTIRQ;
	} else {
		window_end(window, NULL);
		return false;
	}
	if (nr && !READ_ONCE(window->of_idle))
		/* A busy task was sampled, and the CPU is idle now: count up to this sample. */
		latency_ns = window_newest(window, nr)->at_ns - began_ns;
	else if (nr)
		latency_ns = max(latency_ns, window_newest(window, nr)->at_ns - c->since_ns);
	if (over_ns)
		latency_ns = min(latency_ns, over_ns - c->since_ns);

	*end = (struct window_end) {
		.kind = kind,
		.cpu = cpu,
		.state = state,
		.begin_unseen = READ_ONCE(window->begin_unseen),
		.end_ns = end_ns,
		.latency_ns = latency_ns,
		.max_ns = end_ns - c->alive_ns,
		.steal_ns = c->steal_ns,
		.paused_ns = READ_ONCE(window->paused_ns),
		.nr_samples = nr,
	};
	return true;
}

/* Open the window. It begins one interval after @since_ns: by then a busy CPU has missed a tick. */
static void check_open_window(int cpu, struct check_cpu *c, u64 interval_ns)
{
	struct window *window = check_window(cpu);

	if (window_began(window) || nmi_is_sampling(cpu))
		return;
	window_open(window, WINDOW_HARDIRQ, c->since_ns + interval_ns, 0);
	/*
	 * Orders the opening before the load of ran_ns. Pairs with the smp_mb() in tick_late():
	 * either this sees the new ran_ns, or the late tick sees the window open, and closes it.
	 */
	smp_mb();
	if (READ_ONCE(per_cpu(tick_cpus, cpu).ran_ns) != c->ran_ns)
		window_drop(window);
}

/*
 * An NMI found the window over, but each check found the CPU stuck: a second window may have begun
 * at @over_ns. Return: as check_end_window() for the first one.
 */
static bool check_begin_next(int cpu, struct check_cpu *c)
{
	struct window *window = check_window(cpu);
	u64 over_ns = READ_ONCE(window->over_ns);
	unsigned int nr = READ_ONCE(window->nr);
	u64 alive_ns = nr ? window_newest(window, nr)->at_ns : c->alive_ns;
	bool ended = check_end_window(cpu, c, over_ns);

	c->since_ns = over_ns;
	c->alive_ns = alive_ns;
	WRITE_ONCE(c->steal_ns, record_steal(cpu));
	return ended;
}

/* Open the window or request a sample, if it is time. */
static void check_stuck(struct check *check, unsigned int i, int cpu, struct check_cpu *c)
{
	u64 interval_ns = max_t(u64, TICK_NSEC, READ_ONCE(per_cpu(tick_cpus, cpu).interval_ns));
	struct window *window = check_window(cpu);
	u64 now = check->now, began_ns;
	bool first;

	c->stuck_ns = now;
	if (window_began(window) && READ_ONCE(window->over_ns) && check_begin_next(cpu, c))
		__set_bit(i, &check->ended);
	if (now < c->since_ns + interval_ns + MISSED_MARGIN_NS)
		return;
	check_open_window(cpu, c, interval_ns);
	began_ns = window_began(window);
	if (!began_ns || now <= began_ns)
		return;
	/* Wait for a sample, which tells the kind of the window. But a CPU may answer no NMI. */
	if (!READ_ONCE(window->over_ns) &&
	    (READ_ONCE(window->nr) || !nmi_is_on() ||
	     now - began_ns >= 2 * READ_ONCE(settings.threshold_ns)))
		__set_bit(i, &check->open);
	/* Before the request: the CPU may have answered by the time that nmi_request() returns. */
	first = !READ_ONCE(window->nr);
	if (check->nr_nmis >= NMIS_MAX || READ_ONCE(window->irqs_on) ||
	    !window_wants(window, now - began_ns) || !nmi_request(cpu))
		return;
	check->nr_nmis++;
	/*
	 * nmi_classify() asks whether the CPU has taken this IPI. Before 6.0, after an interrupt in
	 * softirqs of the idle task, the CPU would seem to be idle.
	 */
	if (COMPAT_IDLE_NOW && first)
		ipi_send(cpu);
}

static void check_alive(struct check *check, unsigned int i, int cpu, struct check_cpu *c)
{
	struct window *window = check_window(cpu);
	u64 began_ns = window_began(window);

	/*
	 * nmi_sample_self() has opened the window since the last check. The CPU was alive before,
	 * and may be stuck now.
	 */
	if (began_ns > check->group->begin_ns)
		return;
	if (began_ns && check_end_window(cpu, c, ktime_get_ns()))
		__set_bit(i, &check->ended);
	else if (READ_ONCE(window->begin_unseen))
		WRITE_ONCE(window->begin_unseen, false);
	if (c->since_ns)
		c->since_ns = 0;
}

/* The CPU may be stuck, or its window is open: keep the times of the last check. */
static void check_keep_times(const struct group *group, unsigned int i, int cpu,
			     struct check_cpu *c)
{
	if (c->since_ns)
		return;
	c->since_ns = group->end_ns;
	c->alive_ns = COMPAT_IDLE_NOW && test_bit(i, &group->idle) ?
		      group->complete_ns : max(c->ran_ns, group->prev_complete_ns);
	WRITE_ONCE(c->steal_ns, record_steal(cpu));
}

static void check_one(struct check *check, unsigned int i, int cpu)
{
	const struct tick_cpu *t = per_cpu_ptr(&tick_cpus, cpu);
	struct check_cpu *c = per_cpu_ptr(&check_states, cpu);
	struct group *group = check->group;
	struct window *window = check_window(cpu);
	/* Orders this load before that of @uses_window. Pairs with tick_slowpath(). */
	u64 ran_ns = smp_load_acquire(&t->ran_ns);
	u64 idle_seq = compat_idle_seq(cpu);
	bool idle = compat_seq_is_idle(idle_seq, c->idle_seq, check->now - group->begin_ns);
	/* Before 6.0, a tick may have found that the idle task runs softirqs (tick_idle()). */
	bool alive = idle || ran_ns != c->ran_ns || idle_seq != c->idle_seq ||
		     (!COMPAT_IDLE_NOW && softirqs_are_of_idle(cpu));

	if (!alive || window_began(window))
		check_keep_times(group, i, cpu, c);
	check->busy |= !idle;
	__assign_bit(i, &group->idle, idle);
	/*
	 * A late tick is about to close the window, or another CPU makes the record: leave the CPU
	 * to the next check. The acquire orders loads of the window after this one. Pairs with
	 * tick_slowpath().
	 */
	if (smp_load_acquire(&t->uses_window) || window_is_ending(window)) {
		check->partial = true;
		return;
	}
	if (idle && window_began(nosched_window(cpu)))
		ipi_send(cpu);
	/* The hypervisor that did not run this CPU may not have run @cpu either. */
	if (!alive && check->blind && !window_began(window)) {
		c->since_ns = ktime_get_ns();
		return;
	}
	if (!alive) {
		check_stuck(check, i, cpu, c);
		return;
	}
	check_alive(check, i, cpu, c);
	/* Store only what has changed: other watchers have the line in their caches, too. */
	if (c->ran_ns != ran_ns)
		c->ran_ns = ran_ns;
	if (c->idle_seq != idle_seq)
		WRITE_ONCE(c->idle_seq, idle_seq);
}

void check_cpus(struct check *check, struct group *group, u64 late_ns)
{
	int self = smp_processor_id();
	unsigned int i;

	*check = (struct check) {
		.group = group,
		.now = ktime_get_ns(),
		/*
		 * Without NMIs, a late check opens no window: the hypervisor may have stopped all
		 * CPUs. All checks may be late: so the second late check in a row opens windows.
		 */
		.blind = late_ns >= READ_ONCE(settings.check_ns) && !group->was_blind &&
			 !nmi_is_on(),
	};
	for_each_set_bit(i, &group->checked, GROUP_CPUS) {
		if (group->cpus[i] != self) {
			check_one(check, i, group->cpus[i]);
			continue;
		}
		check->busy |= !sample_idle_task();
		/* On top of a softirq or another interrupt, this CPU may be stuck itself. */
		if (softirq_count() || hardirq_count() > HARDIRQ_OFFSET) {
			check_keep_times(group, i, self, per_cpu_ptr(&check_states, self));
			check->partial = true;
		}
	}
	group->was_blind = check->blind;
	if (!check->partial) {
		group->prev_complete_ns = group->complete_ns;
		group->complete_ns = check->now;
	}
	group->begin_ns = check->now;
	group->end_ns = ktime_get_ns();
}

void check_finish(const struct check *check)
{
	const int *cpus = check->group->cpus;
	unsigned int i;

	for_each_set_bit(i, &check->ended, GROUP_CPUS)
		window_end(check_window(cpus[i]), per_cpu_ptr(&window_ends, cpus[i]));
	for_each_set_bit(i, &check->open, GROUP_CPUS)
		announce_open_window(cpus[i], check_window(cpus[i]), check->now);
}

void check_add(int cpu, u64 now)
{
	const struct tick_cpu *t = per_cpu_ptr(&tick_cpus, cpu);

	per_cpu(check_states, cpu) = (struct check_cpu) {
		.ran_ns = READ_ONCE(t->ran_ns),
		.idle_seq = compat_idle_seq(cpu),
		.since_ns = now,
		.alive_ns = now,
		.steal_ns = record_steal(cpu),
	};
	__clear_bit(t->position, &t->group->idle);
	WRITE_ONCE(t->group->checked, t->group->checked | BIT(t->position));
	WRITE_ONCE(nr_checked, nr_checked + 1);
}

void check_remove(int cpu)
{
	const struct tick_cpu *t = per_cpu_ptr(&tick_cpus, cpu);

	WRITE_ONCE(t->group->checked, t->group->checked & ~BIT(t->position));
	WRITE_ONCE(nr_checked, nr_checked - 1);
}
