// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * A CPU is stuck if it has neither ticked nor been idle (compat_idle_seq()) between two checks. A
 * check opens a window for that CPU, and requests samples. If the CPU was busy, its late tick
 * closes the window and makes the record (tick.c). The tick of an idle CPU may be stopped: if no
 * late tick closes the window, the second check after its end does. For the same reason, an idle
 * CPU that has a nosched window open gets an IPI. Context: see check.h.
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
 *	open     alive   sets @ended_ns, as a late tick may be about to close the window
 *	ended    any     closes the window, then does as for a closed window
 */
struct check_cpu {
	u64 ran_ns;		/* the CPU's newest tick, as the last check read it */
	u64 idle_seq;		/* compat_idle_seq() at the last check */
	u64 checked_ns;		/* the last check, before it read @ran_ns and @idle_seq */
	u64 since_ns;		/* the CPU has neither ticked nor been idle since */
	u64 alive_ns;		/* the CPU was alive then: an open window began later */
	u64 steal_ns;		/* record_steal() at @since_ns */
	u64 stuck_ns;		/* the last check that found the CPU stuck */
	u64 ended_ns;		/* when a check found the window ended; 0: not ended */
	u64 next_since_ns;	/* @since_ns and @alive_ns after the open window is closed */
	u64 next_alive_ns;
	bool idle;		/* at the last check */
};

static DEFINE_PER_CPU(struct check_cpu, check_states);

/* CPUs that tick, or that cpus_start() has sent an IPI. */
static struct cpumask checked;
static unsigned int nr_checked;

static int last_checked = -1;
static bool was_blind;		/* @blind of the last check */
static u64 nr_unsampled;

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

u64 check_unsampled(void)
{
	return READ_ONCE(nr_unsampled);
}

/* Close the window, unless a late tick did. Make a record if the samples are of the idle task. */
static void check_end_window(int cpu, struct check_cpu *c, u64 end_ns)
{
	struct window *window = nmi_window(cpu);
	u64 latency_ns = max(c->stuck_ns, c->since_ns) - c->since_ns;
	u64 over_ns;
	unsigned int nr;
	bool sampling;

	c->ended_ns = 0;
	if (!window_close(window))
		return;
	/* Before the load of @nr. An NMI handler may overwrite a sample, but not the first two. */
	sampling = nmi_is_sampling(cpu);
	/* Orders loads of the samples after this one. Pairs with window_sample(). */
	nr = smp_load_acquire(&window->nr);
	if (sampling)
		nr = min(nr, 2U);
	if (nr && !READ_ONCE(window->idle))
		return;
	if (nr)
		latency_ns = max(latency_ns, window_newest(window, nr)->at_ns - c->since_ns);
	over_ns = READ_ONCE(window->over_ns);
	if (over_ns)
		latency_ns = min(latency_ns, over_ns - c->since_ns);
	if (!nr) {
		if (latency_ns >= READ_ONCE(settings.threshold_ns))
			WRITE_ONCE(nr_unsampled, nr_unsampled + 1);
		return;
	}

	histogram_add_remote(cpu, window->kind, latency_ns);
	if (latency_ns >= READ_ONCE(settings.threshold_ns))
		record_add(&(struct ended_window) {
			.kind = window->kind,
			.cpu = cpu,
			.end_ns = end_ns,
			.latency_ns = latency_ns,
			.max_ns = end_ns - c->alive_ns,
			.steal_ns = c->steal_ns,
			.window = window,
			.nr_samples = nr,
		});
}

/* Open the window: it begins when the CPU, if it is busy, has missed a tick. */
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

/* An NMI found the window over, but the CPU still seems stuck: the next window began then. */
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

/* The CPU is still stuck. An NMI handler may have found that it is its softirq window. */
static void check_announce(int cpu, struct window *window, u64 latency_ns)
{
	if (!READ_ONCE(window->over_ns))
		announce_open_window(cpu, window, latency_ns);
	announce_open_window(cpu, softirqs_window(cpu), 0);
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
	check_announce(cpu, window, now - began_ns);
	return may_send && window_wants(window, now - began_ns) && nmi_request(cpu, now);
}

/* No window is open: the next window does not begin before the last check. */
static void check_reset(int cpu, struct check_cpu *c)
{
	c->since_ns = c->next_since_ns;
	c->alive_ns = c->next_alive_ns;
	c->steal_ns = record_steal(cpu);
}

static void check_alive(int cpu, struct check_cpu *c, u64 now, u64 ran_ns, u64 idle_seq, bool idle)
{
	u64 began_ns = window_began(nmi_window(cpu));

	c->next_since_ns = ktime_get_ns();
	c->next_alive_ns = COMPAT_IDLE_NOW && idle ? now : max(ran_ns, c->checked_ns);
	c->ran_ns = ran_ns;
	c->idle_seq = idle_seq;
	c->idle = idle;

	if (c->ended_ns)
		check_end_window(cpu, c, c->ended_ns);
	/* A window that began after the last check, opened by nmi_self(), may still be open. */
	else if (began_ns && began_ns <= c->checked_ns)
		c->ended_ns = c->next_since_ns;
	if (!c->ended_ns)
		check_reset(cpu, c);
}

/* Return: whether the CPU is busy. */
static bool check_one(int cpu, bool blind, unsigned int *nr_nmis)
{
	struct check_cpu *c = per_cpu_ptr(&check_states, cpu);
	u64 now = ktime_get_ns();
	u64 ran_ns = READ_ONCE(per_cpu(tick_cpus, cpu).ran_ns);
	u64 idle_seq = compat_idle_seq(cpu);
	bool idle = compat_seq_is_idle(idle_seq, c->idle_seq, now - c->checked_ns);
	bool alive = idle || ran_ns != c->ran_ns || idle_seq != c->idle_seq;

	if (idle && window_began(nosched_window(cpu)))
		cpus_send_ipi(cpu);
	/* A host that did not run this CPU may not have run @cpu either. */
	if (blind && !window_began(nmi_window(cpu)))
		alive = true;
	if (c->ended_ns && !alive) {
		check_end_window(cpu, c, c->ended_ns);
		check_reset(cpu, c);
	}
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
	 * A check that is late opens no window: it is blind. On a busy host all checks may be late,
	 * so the second of two late checks is not blind.
	 */
	bool blind = late_ns >= READ_ONCE(settings.check_ns) && !was_blind;
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
