// SPDX-License-Identifier: GPL-2.0
/*
 * While all CPUs seem to sleep nobody watches. Then one of them wakes for a short time and may
 * get stuck, at once and for long. If it has used up what it may call others (watch.c), none
 * looks: to call one each time that a CPU wakes would have CPUs wake each other all the time. So
 * the last one that watched is **on guard**: its riding tick has a hard expiry, and when it
 * comes, it looks whether somebody is awake. Then it watches again.
 *
 *	CPU 1	asleep   | awake, stuck ...
 *	CPU 2	watched, on guard           | looks: CPU 1 is awake; watches
 *
 * All CPUs together spend two wake-ups a second and CPU on this at most: the more there are, the
 * sooner such a CPU is found. When no other has been awake since it last looked, it is on guard no
 * more, so nobody wakes on a host that sleeps. The next CPU that wakes finds that no other is on
 * guard, and calls one. So does one that is on guard itself, as nobody would look after it, or that
 * finds that those on guard have not looked for too long.
 *
 * Context: with each function in guard.h.
 */
#include <linux/atomic.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/smp.h>
#include <linux/time64.h>

#include "guard.h"

/* A guard that has not looked for so many times as it sleeps is none. */
#define LOST_SLEEPS	2

u64 guard_sleeps_ns;

/* As a CPU that is on guard may be the one that gets stuck, there may be two. */
#define GUARDS		2

/**
 * struct guard - one that may be on guard
 * @cpu: which, below 0 when there is none
 * @looked_ns: when it last looked, or was called for, CLOCK_MONOTONIC; 0 when none is wanted
 * @turns: what it saw by then; by itself
 */
static struct guard {
	int cpu;
	u64 looked_ns;
	unsigned int turns;
} guards[GUARDS];

static void dismiss(struct guard *g)
{
	WRITE_ONCE(g->cpu, NOBODY);
	WRITE_ONCE(g->looked_ns, 0);
}

void guard_prepare(unsigned int nr, u64 least_ns)
{
	int i;

	guard_sleeps_ns = max(div_u64(NSEC_PER_SEC, max(nr, 2U)), least_ns);
	for (i = 0; i < GUARDS; i++)
		dismiss(&guards[i]);
}

static struct guard *find(int cpu)
{
	int i;

	for (i = 0; i < GUARDS; i++)
		if (READ_ONCE(guards[i].cpu) == cpu)
			return &guards[i];
	return NULL;
}

bool guard_is_mine(void)
{
	return find(smp_processor_id());
}

static bool looks(u64 now, u64 looked_ns)
{
	/* Signed: it may have looked just now. */
	return looked_ns && (s64)(now - looked_ns) <
			    (s64)(LOST_SLEEPS * guard_sleeps_ns);
}

bool guard_call(u64 now)
{
	int self = smp_processor_id(), i;
	struct guard *is_free = NULL;
	u64 was_ns = 0;

	for (i = 0; i < GUARDS; i++) {
		struct guard *g = &guards[i];
		u64 looked_ns = READ_ONCE(g->looked_ns);

		if (!looks(now, looked_ns)) {
			is_free = g;
			was_ns = looked_ns;
		} else if (READ_ONCE(g->cpu) != self) {
			return false;
		}
	}
	if (!is_free || cmpxchg64(&is_free->looked_ns, was_ns, now) != was_ns)
		return false;
	WRITE_ONCE(is_free->cpu, NOBODY);
	return true;
}

void guard_begin(u64 now, unsigned int turns)
{
	struct guard *g = find(smp_processor_id());

	/* Two may take the same place at once: the one that does not stay does not look. */
	if (!g)
		g = find(NOBODY);
	if (!g)
		return;
	WRITE_ONCE(g->turns, turns);
	WRITE_ONCE(g->looked_ns, now);
	WRITE_ONCE(g->cpu, smp_processor_id());
}

void guard_look(u64 now, unsigned int turns)
{
	struct guard *g = find(smp_processor_id());

	/* It may come by more often. */
	if (!g || now - READ_ONCE(g->looked_ns) < guard_sleeps_ns)
		return;
	if (READ_ONCE(g->turns) == turns) {
		dismiss(g);
		return;
	}
	WRITE_ONCE(g->turns, turns);
	WRITE_ONCE(g->looked_ns, now);
}

void guard_end(int cpu)
{
	struct guard *g = find(cpu);

	if (g)
		dismiss(g);
}
