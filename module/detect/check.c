// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Checks other CPUs: which CPUs are stuck, and since when?
 *
 * A CPU is stuck if between two checks it has neither ticked nor been idle. A number tells that it
 * was idle: it changes when the CPU goes idle, wakes, or takes an interrupt (compat_idle_seq()).
 *
 * A check opens the window of a CPU that is stuck, and requests samples. A late tick of that CPU
 * closes the window and makes the record (tick.c). An idle CPU has no late tick, as its tick
 * is stopped: there the check that finds the CPU alive again makes the record.
 *
 * Context: see check.h.
 */
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/percpu.h>

#include "compat.h"
#include "detect/check.h"
#include "detect/nmi.h"
#include "detect/tick.h"
#include "record/histogram.h"
#include "record/record.h"
#include "record/sample.h"
#include "record/window.h"
#include "settings.h"

/* A tick may be this late without being missed: leaving a deep idle state takes time, too. */
#define MISSED_MARGIN_NS	NSEC_PER_MSEC

/* A check runs with interrupts off: limit it. The next check starts after the last CPU. */
#define CPUS_MAX	64
#define NMIS_MAX	8

/**
 * struct watched - what the checks know of one CPU; written by one check at a time
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

static DEFINE_PER_CPU(struct watched, watched);

/* CPUs that are monitored, or that cpus_start() has sent an IPI. */
static struct cpumask members;
static unsigned int nr_members;

static int last_checked = -1;
static bool was_blind;		/* the last check */
static u64 nr_unsampled;	/* windows whose kind is unknown */

bool check_is_alone(void)
{
	return READ_ONCE(nr_members) < 2;
}

int check_next(int cpu)
{
	cpu = cpumask_next(cpu, &members);
	return cpu < nr_cpu_ids ? cpu : cpumask_first(&members);
}

bool check_was_idle(int cpu)
{
	return per_cpu(watched, cpu).idle;
}

u64 check_unsampled(void)
{
	return READ_ONCE(nr_unsampled);
}

/*
 * Close the window of another CPU, unless its late tick has done so. An idle CPU has no
 * late tick: if the samples are of the idle task, the watcher makes the record.
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
		latency_ns = max(latency_ns, window_newest(window, nr)->at_ns - w->since_ns);
	over_ns = READ_ONCE(window->over_ns);
	if (over_ns)
		latency_ns = min(latency_ns, over_ns - w->since_ns);
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
	 * Either this sees the new ran_ns, or tick_late() sees the window.
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
	u64 alive_ns = nr ? window_newest(window, nr)->at_ns : w->alive_ns;

	end_window(cpu, w, over_ns);
	w->since_ns = over_ns;
	w->alive_ns = alive_ns;
	w->steal_ns = record_steal(cpu);
}

/* Return: whether an NMI was sent. */
static bool check_stuck(int cpu, struct watched *w, u64 now, bool may_send)
{
	u64 interval_ns = max_t(u64, TICK_NSEC, READ_ONCE(per_cpu(tick_cpus, cpu).interval_ns));
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

/* No window is open: the next window began no earlier than the newest check. */
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
static void note_alive(int cpu, struct watched *w, u64 now, u64 ran_ns, u64 idle_seq, bool idle)
{
	/* If a counter's NMI opened the window since the last check, the window has not ended. */
	u64 began_ns = window_began(nmi_window(cpu));

	w->next_since_ns = ktime_get_ns();
	w->next_alive_ns = COMPAT_IDLE_NOW && idle ? now : max(ran_ns, w->checked_ns);
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

	/* If the host did not run this CPU, it may not have run @cpu either. */
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

bool check_cpus(u64 now, u64 late_ns, int self)
{
	int first = check_next(last_checked), cpu = first;
	unsigned int left = CPUS_MAX, nr_nmis = 0;
	/* On a busy host all checks may be late: of two in a row the second one counts. */
	bool blind = late_ns >= READ_ONCE(settings.check_ns) && !was_blind;
	bool busy = !sample_idle_task();

	was_blind = blind;
	if (first >= nr_cpu_ids)
		return busy;
	do {
		last_checked = cpu;
		if (cpu != self)
			busy |= check_cpu(cpu, blind, &nr_nmis);
		cpu = check_next(cpu);
	} while (cpu != first && cpu < nr_cpu_ids && --left);
	return busy;
}

void check_add(int cpu, u64 now)
{
	per_cpu(watched, cpu) = (struct watched) {
		.ran_ns = READ_ONCE(per_cpu(tick_cpus, cpu).ran_ns),
		.idle_seq = compat_idle_seq(cpu),
		.checked_ns = now,
		.since_ns = now,
		.alive_ns = now,
		.steal_ns = record_steal(cpu),
	};
	cpumask_set_cpu(cpu, &members);
	WRITE_ONCE(nr_members, nr_members + 1);
}

void check_remove(int cpu)
{
	cpumask_clear_cpu(cpu, &members);
	WRITE_ONCE(nr_members, nr_members - 1);
}
