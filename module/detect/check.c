// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * A CPU is stuck if it has neither ticked nor been idle (compat_idle_seq()) between two checks. A
 * check opens a window for that CPU, and requests samples. If the CPU is busy, its late tick closes
 * the window and makes the record (tick.c). An idle CPU may have stopped its tick: the first check
 * that finds the CPU alive closes the window and makes the record. For the same reason, an idle CPU
 * that has a nosched window open gets an IPI. Context: see check.h.
 */
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/percpu.h>

#include "compat.h"
#include "cpus.h"
#include "detect/check.h"
#include "detect/nmi.h"
#include "detect/nosched.h"
#include "detect/softirqs.h"
#include "detect/tick.h"
#include "record/announce.h"
#include "record/histogram.h"
#include "record/record.h"
#include "record/sample.h"
#include "record/window.h"
#include "settings.h"

/* A tick that is late by less is not missed: a CPU takes time to leave a deep idle state. */
#define MISSED_MARGIN_NS	NSEC_PER_MSEC

/* Limits of one check, which has interrupts off. The next check continues after the last CPU. */
#define CPUS_MAX	64
#define NMIS_MAX	8

/*
 * What the checks know of one CPU. Times are CLOCK_MONOTONIC.
 *
 *	window   CPU     the check
 *	closed   alive   moves @since_ns and @alive_ns on
 *	closed   stuck   opens the window when a tick has been missed
 *	open     stuck   requests a sample when one is due
 *	open     alive   closes the window, then does as for a closed window
 */
struct check_cpu {
	u64 ran_ns;		/* the CPU's newest tick, as the last check read it */
	u64 idle_seq;		/* compat_idle_seq() at the last check */
	u64 checked_ns;		/* the last check, before it read @ran_ns and @idle_seq */
	u64 since_ns;		/* the CPU has neither ticked nor been idle since */
	u64 alive_ns;		/* the CPU was last seen alive: an open window began later */
	u64 steal_ns;		/* record_steal() at @since_ns */
	u64 stuck_ns;		/* the last check that found the CPU stuck */
	bool idle;		/* at the last check */
};

static DEFINE_PER_CPU(struct check_cpu, check_states);

/* CPUs that tick, or that cpus_start() has sent an IPI. */
static struct cpumask checked;
static unsigned int nr_checked;

static int last_checked = -1;
static bool was_blind;		/* the last check was late, and opened no window */

bool check_is_alone(void)
{
	return READ_ONCE(nr_checked) < 2;
}

int check_next(int cpu)
{
	cpu = cpumask_next(cpu, &checked);
	return cpu < nr_cpu_ids ? cpu : cpumask_first(&checked);
}

bool check_was_idle(int cpu)
{
	return per_cpu(check_states, cpu).idle;
}

/*
 * Close a window that has ended on an idle CPU, unless a late tick did. Without a sample, assume
 * that the idle task ran an interrupt handler or softirqs: both delay softirqs.
 */
static void check_end_window(int cpu, struct check_cpu *c, u64 end_ns)
{
	struct window *window = nmi_window(cpu);
	u64 latency_ns = max(c->stuck_ns, c->since_ns) - c->since_ns;
	enum window_kind kind = READ_ONCE(window->kind);
	enum sample_state state;
	u64 over_ns, began_ns;
	unsigned int nr;
	bool sampling;

	began_ns = window_close(window);
	if (!began_ns)
		return;
	/* Before the load of @nr: an NMI handler may overwrite a sample, but not the first two. */
	sampling = nmi_is_sampling(cpu);
	/* Orders loads of the samples after this one. Pairs with window_sample(). */
	nr = smp_load_acquire(&window->nr);
	if (sampling)
		nr = min(nr, 2U);
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
		return;
	}
	if (nr && !READ_ONCE(window->idle))
		/* The task kept interrupts off until it had left the CPU to the idle task. */
		latency_ns = window_newest(window, nr)->at_ns - began_ns;
	else if (nr)
		latency_ns = max(latency_ns, window_newest(window, nr)->at_ns - c->since_ns);
	if (over_ns)
		latency_ns = min(latency_ns, over_ns - c->since_ns);

	histogram_add_remote(cpu, kind, latency_ns);
	if (latency_ns >= READ_ONCE(settings.threshold_ns))
		record_add(&(struct ended_window) {
			.kind = kind,
			.cpu = cpu,
			.state = state,
			.end_ns = end_ns,
			.latency_ns = latency_ns,
			.max_ns = end_ns - c->alive_ns,
			.steal_ns = c->steal_ns,
			.paused_ns = READ_ONCE(window->paused_ns),
			.window = window,
			.nr_samples = nr,
		});
}

/* Open the window. It begins one interval after @since_ns: by then a busy CPU has missed a tick. */
static void check_open_window(int cpu, struct check_cpu *c, u64 interval_ns)
{
	struct window *window = nmi_window(cpu);

	if (window_began(window) || nmi_is_sampling(cpu))
		return;
	window_open(window, WINDOW_HARDIRQ, c->since_ns + interval_ns, 0);
	/*
	 * Orders the opening before the load of ran_ns. Pairs with the smp_mb() in tick_late():
	 * either this sees the new ran_ns, or the late tick sees the window open, and closes it.
	 */
	smp_mb();
	if (READ_ONCE(per_cpu(tick_cpus, cpu).ran_ns) != c->ran_ns)
		window_close(window);
}

/* An NMI found an idle CPU free, but no check did: the next window may have begun then. */
static void check_begin_next(int cpu, struct check_cpu *c)
{
	struct window *window = nmi_window(cpu);
	u64 over_ns = READ_ONCE(window->over_ns);
	unsigned int nr = READ_ONCE(window->nr);
	u64 alive_ns = nr ? window_newest(window, nr)->at_ns : c->alive_ns;

	check_end_window(cpu, c, over_ns);
	c->since_ns = over_ns;
	c->alive_ns = alive_ns;
	c->steal_ns = record_steal(cpu);
}

/* Return: whether an NMI was sent. */
static bool check_stuck(int cpu, struct check_cpu *c, u64 now, bool may_send)
{
	u64 interval_ns = max_t(u64, TICK_NSEC, READ_ONCE(per_cpu(tick_cpus, cpu).interval_ns));
	struct window *window = nmi_window(cpu);
	u64 began_ns;

	c->stuck_ns = now;
	began_ns = window_began(window);
	if (began_ns && READ_ONCE(window->over_ns))
		check_begin_next(cpu, c);
	if (now < c->since_ns + interval_ns + MISSED_MARGIN_NS)
		return false;
	check_open_window(cpu, c, interval_ns);
	began_ns = window_began(window);
	if (!began_ns || now <= began_ns)
		return false;
	/* Wait for a sample, which tells the kind of the window. But a CPU may answer no NMI. */
	if (!READ_ONCE(window->over_ns) &&
	    (READ_ONCE(window->nr) || !nmi_is_on() ||
	     now - began_ns >= 2 * READ_ONCE(settings.threshold_ns)))
		announce_open_window(cpu, window, now - began_ns);
	return may_send && !READ_ONCE(window->irqs_on) && window_wants(window, now - began_ns) &&
	       nmi_request(cpu);
}

static void check_alive(int cpu, struct check_cpu *c, u64 now, u64 ran_ns, u64 idle_seq, bool idle)
{
	struct window *window = nmi_window(cpu);
	u64 began_ns = window_began(window), since_ns = ktime_get_ns();

	/* nmi_self() may have opened a window after the last check: it may still be open. */
	if (began_ns && began_ns <= c->checked_ns)
		check_end_window(cpu, c, since_ns);
	if (READ_ONCE(window->begin_unseen))
		WRITE_ONCE(window->begin_unseen, false);
	c->since_ns = since_ns;
	c->alive_ns = COMPAT_IDLE_NOW && idle ? now : max(ran_ns, c->checked_ns);
	c->steal_ns = record_steal(cpu);
	c->ran_ns = ran_ns;
	c->idle_seq = idle_seq;
	c->idle = idle;
}

/* Return: whether the CPU is busy. */
static bool check_one(int cpu, bool blind, unsigned int *nr_nmis)
{
	struct check_cpu *c = per_cpu_ptr(&check_states, cpu);
	u64 now = ktime_get_ns();
	/* Orders this load before that of @recording. Pairs with tick_slowpath(). */
	u64 ran_ns = smp_load_acquire(&per_cpu(tick_cpus, cpu).ran_ns);
	u64 idle_seq = compat_idle_seq(cpu);
	bool idle = compat_seq_is_idle(idle_seq, c->idle_seq, now - c->checked_ns);
	/* Before 6.0, a tick may have found that the idle task runs softirqs (tick_idle()). */
	bool alive = idle || ran_ns != c->ran_ns || idle_seq != c->idle_seq ||
		     (!COMPAT_IDLE_NOW && softirqs_are_of_idle(cpu));

	/*
	 * A late tick is about to close the window: leave the CPU to the next check. The acquire
	 * orders loads of the window after this one. Pairs with tick_slowpath().
	 */
	if (smp_load_acquire(&per_cpu(tick_cpus, cpu).recording))
		return true;
	if (idle && window_began(nosched_window(cpu)))
		cpus_send_ipi(cpu);
	/* A host that did not run this CPU may not have run @cpu either. */
	if (blind && !window_began(nmi_window(cpu)))
		alive = true;
	if (alive)
		check_alive(cpu, c, now, ran_ns, idle_seq, idle);
	else
		*nr_nmis += check_stuck(cpu, c, now, *nr_nmis < NMIS_MAX);
	c->checked_ns = now;
	return !idle;
}

bool check_cpus(u64 late_ns, int self)
{
	int first = check_next(last_checked), cpu = first;
	unsigned int left = CPUS_MAX, nr_nmis = 0;
	/*
	 * Without NMIs, a late check opens no window: the host may have stopped all CPUs. On a busy
	 * host, all checks may be late: the second one opens windows.
	 */
	bool blind = late_ns >= READ_ONCE(settings.check_ns) && !was_blind && !nmi_is_on();
	bool busy = !sample_idle_task();

	was_blind = blind;
	if (first >= nr_cpu_ids)
		return busy;
	do {
		last_checked = cpu;
		if (cpu != self)
			busy |= check_one(cpu, blind, &nr_nmis);
		else
			nosched_end_idle(ktime_get_ns());
		cpu = check_next(cpu);
	} while (cpu != first && cpu < nr_cpu_ids && --left);
	return busy;
}

void check_add(int cpu, u64 now)
{
	per_cpu(check_states, cpu) = (struct check_cpu) {
		.ran_ns = READ_ONCE(per_cpu(tick_cpus, cpu).ran_ns),
		.idle_seq = compat_idle_seq(cpu),
		.checked_ns = now,
		.since_ns = now,
		.alive_ns = now,
		.steal_ns = record_steal(cpu),
	};
	cpumask_set_cpu(cpu, &checked);
	WRITE_ONCE(nr_checked, nr_checked + 1);
}

void check_remove(int cpu)
{
	cpumask_clear_cpu(cpu, &checked);
	WRITE_ONCE(nr_checked, nr_checked - 1);
}
