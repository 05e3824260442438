// SPDX-License-Identifier: GPL-2.0
/*
 * Which CPUs have missed their tick, and what is done about it: one is called, which tells whether
 * its interrupts are on (it may be only its timer that does not come: see ticker.c), and asked for
 * a look at itself by NMI (ask.c). Who looks after them, and when, is in watch.c.
 *
 * That a CPU has woken and gone idle in between is told by a number (awake.h) that is not
 * what it was the last time. From then on it counts: it cannot have been late before.
 *
 * Context: with each function in overdue.h. No lock is taken.
 */
#include <linux/atomic.h>
#include <linux/hrtimer.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/time64.h>

#include "ask.h"
#include "awake.h"
#include "call.h"
#include "overdue.h"
#include "settings.h"
#include "window.h"

/*
 * A tick is missed when it is late by so much of a period, and by no less than this,
 * which is what leaving a deep idle state may take.
 */
#define MISSED_SHARE	8
#define MISSED_MIN_NS	(100 * NSEC_PER_USEC)

/* NMIs from one interrupt: when many CPUs are overdue, the others get theirs next time. */
#define NMIS_AT_ONCE	8

/**
 * struct watched - one CPU
 * @turns: its awake_turns() when somebody last looked; by who looks
 * @since_ns: when they were first seen to be that; likewise
 */
struct watched {
	unsigned int turns;
	u64 since_ns;
};

static DEFINE_PER_CPU(struct watched, watched);

u64 overdue_missed_ns;
struct cpumask overdue_members;

/* Where the NMIs of one interrupt ended; by whoever looks. */
static int last_asked;

void overdue_prepare(void)
{
	u64 share_ns = div_u64(settings.period_ns, MISSED_SHARE);

	overdue_missed_ns = max3(share_ns, (u64)MISSED_MIN_NS,
				 2ULL * hrtimer_resolution);
}

u64 overdue_since(int cpu)
{
	const struct window *window = ask_window(cpu);
	const struct watched *w = per_cpu_ptr(&watched, cpu);
	unsigned int turns = awake_turns(cpu);
	/* Another CPU may have opened it. Pairs with window_open(). */
	u64 began_ns = smp_load_acquire(&window->began_ns);

	/* 0: in its tick right now, or stopped. */
	if (!began_ns || READ_ONCE(window->begin_unseen))
		return began_ns;
	/* With them the time that belongs to them. Pairs with overdue_note(). */
	if (turns & 1 || turns != smp_load_acquire(&w->turns))
		return 0;
	/* It has had a look at itself, and knows since when it is awake. */
	if (READ_ONCE(window->nr))
		return began_ns;
	/* It has not been idle since, so its tick was due a while after that. */
	return max(began_ns, READ_ONCE(w->since_ns) +
			     READ_ONCE(settings.first_ns));
}

void overdue_note(int cpu, u64 now)
{
	struct watched *w = per_cpu_ptr(&watched, cpu);
	unsigned int turns = awake_turns(cpu);

	if (READ_ONCE(w->turns) == turns)
		return;
	WRITE_ONCE(w->since_ns, now);
	/* Not the new number with the old time. Pairs with the acquire in overdue_since(). */
	smp_store_release(&w->turns, turns);
}

/* Return: since when a CPU has missed its tick; 0 when it has not. */
static u64 missed_since(int cpu, u64 now, u64 due_ns)
{
	u64 since_ns;

	overdue_note(cpu, now);
	since_ns = overdue_since(cpu);
	return since_ns && due_ns >= since_ns + overdue_missed_ns ? since_ns : 0;
}

/* Return: whether an NMI was sent. */
static bool look_after(int cpu, u64 now, u64 since_ns, bool may_ask)
{
	const struct window *window = ask_window(cpu);

	if (!call_pending(cpu))
		call_cpu(cpu, CALL_OVERDUE, now);
	return may_ask && window_wants(window, now - since_ns) &&
	       !READ_ONCE(ask_obstacle) && ask_for_look(cpu, now);
}

int overdue_next_member(int cpu)
{
	/* See overdue_members. */
	cpu = data_race(cpumask_next(cpu, &overdue_members));
	if (cpu >= nr_cpu_ids)
		/* Likewise. */
		cpu = data_race(cpumask_first(&overdue_members));
	return cpu;
}

/* Once round, from where the NMIs ended the last time. */
bool overdue_look(u64 now, u64 due_ns, int self)
{
	int first = overdue_next_member(READ_ONCE(last_asked)), cpu = first;
	unsigned int left = nr_cpu_ids, asked = 0;
	bool any = false;

	if (first >= nr_cpu_ids)
		return false;
	do {
		u64 since_ns = cpu == self ? 0 : missed_since(cpu, now, due_ns);

		any |= since_ns != 0;
		if (since_ns && look_after(cpu, now, since_ns, asked < NMIS_AT_ONCE) &&
		    ++asked == NMIS_AT_ONCE)
			WRITE_ONCE(last_asked, cpu);
		cpu = overdue_next_member(cpu);
	} while (cpu != first && cpu < nr_cpu_ids && --left);
	return any;
}

void overdue_told(int cpu, u64 next_ns)
{
	struct window *window = ask_window(cpu);

	WRITE_ONCE(window->begin_unseen, true);
	window_open(window, next_ns, overdue_missed_ns);
	cpumask_set_cpu(cpu, &overdue_members);
}

void overdue_start(void)
{
	WRITE_ONCE(ask_window(smp_processor_id())->begin_unseen, false);
	cpumask_set_cpu(smp_processor_id(), &overdue_members);
}

void overdue_stop(int cpu)
{
	cpumask_clear_cpu(cpu, &overdue_members);
}

void overdue_stopped(int cpu)
{
	ask_close(cpu);
}
