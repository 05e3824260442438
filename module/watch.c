// SPDX-License-Identifier: GPL-2.0
/*
 * One CPU watches all others, to catch a hardirq window in the act.
 *
 * The stack at the end of such a window names the function that turned interrupts
 * back on, not the one that took the time. So once a period the watcher looks whether each
 * monitored CPU that is awake has taken its tick, and calls one that has not (overdue.c). Here is
 * which CPU watches.
 *
 *	watcher's tick  |              |              |              |
 *	CPU 1 tick   |              |              due, but interrupts are off
 *	                                               ^ call, and NMI
 *
 * The watcher is a CPU that is idle, as all that are awake may have interrupts off at once:
 * one holds a lock, and the others spin for it. It is the only idle CPU that is woken by us,
 * and only while another one is awake. When it gets something to do it calls another one
 * to take its place. When it does not tick any more, the first tick of any other CPU finds
 * that, looks in its place, and calls another one too. When none is idle to be called, the next
 * one that goes idle watches; until then a tick of any CPU looks, every other period, and each
 * period while a CPU is stuck.
 *
 * A CPU that wakes while nobody watches calls one, but seldom: most go back to sleep before
 * anything can be seen. Its next tick calls one in any case; and whichever idle CPU is woken next
 * finds that somebody is awake, and watches, as do those on guard (guard.c). One that was stuck
 * may call a few times more, as what happened once happens again.
 *
 * Context: with each function in watch.h. No lock is taken. Each CPU reads two words that the
 * watcher writes, once a period and when it wakes. None writes there but the watcher, or who looks
 * in its place.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include <linux/topology.h>

#include "awake.h"
#include "call.h"
#include "guard.h"
#include "overdue.h"
#include "sample.h"
#include "settings.h"
#include "watch.h"

/* So many periods after its last tick a watcher is none any more. */
#define LOST_PERIODS	2

/* So rarely a CPU calls for a watcher when it wakes, on the whole; but wake-ups come in bursts. */
#define CALL_NS		(2 * NSEC_PER_SEC)
#define CALL_BURST	16
#define CALLS_AFTER_WINDOW	4

/* As if a CPU had called for a watcher as seldom as it may, up to then; by itself. */
static DEFINE_PER_CPU(u64, calls_ns);

int watch_cpu = NOBODY;
u64 watch_look_ns;
bool watch_possible;
bool watch_wanted;

/* See LOST_PERIODS. */
static u64 lost_ns;

/* Who was called last; by whoever watches. */
static int last_called;

void watch_prepare(unsigned int nr)
{
	overdue_prepare();
	WRITE_ONCE(lost_ns, LOST_PERIODS * settings.period_ns);
	/* One by itself has nobody to watch. */
	WRITE_ONCE(watch_possible, nr > 1);
	WRITE_ONCE(watch_look_ns, ktime_get_ns() + (watch_possible ? 0 : S64_MAX));
	WRITE_ONCE(watch_cpu, NOBODY);
	WRITE_ONCE(watch_wanted, watch_possible);
	guard_prepare(nr, lost_ns);
}

u64 watch_look_since(int cpu, u64 now)
{
	/* A watcher that has ticked within a period does, up to when it is lost. */
	if (!watch_is_possible() ||
	    watch_is_lost(now + READ_ONCE(lost_ns) - READ_ONCE(settings.period_ns)))
		overdue_note(cpu, now);
	return overdue_since(cpu);
}

/* @turns: the sum of all others', when none is awake. */
static bool is_any_awake(int self, unsigned int *turns)
{
	int cpu = -1;

	*turns = 0;
	/* One that joins or leaves meanwhile calls by itself. */
	while ((cpu = data_race(cpumask_next(cpu, &overdue_members))) < nr_cpu_ids) {
		unsigned int t = awake_turns(cpu);

		if (cpu == self)
			continue;
		if (!(t & 1) || READ_ONCE(ask_window(cpu)->begin_unseen))
			return true;
		*turns += t;
	}
	return false;
}

/* One that is idle, and not the same each time; of a node, or of any below 0. */
static int find_idle(int self, int node)
{
	int first = overdue_next_member(READ_ONCE(last_called)), cpu = first;
	unsigned int left = nr_cpu_ids;

	if (first >= nr_cpu_ids)
		return NOBODY;
	do {
		if (cpu != self && awake_turns(cpu) & 1 && !call_pending(cpu) &&
		    (node < 0 || cpu_to_node(cpu) == node))
			return cpu;
		cpu = overdue_next_member(cpu);
	} while (cpu != first && cpu < nr_cpu_ids && --left);
	return NOBODY;
}

/* Return: whether there was one to be called. */
static bool call_idle(u64 now, int self)
{
	int cpu = find_idle(self, cpu_to_node(self));

	if (cpu < 0)
		cpu = find_idle(self, NOBODY);
	if (cpu < 0)
		return false;
	WRITE_ONCE(last_called, cpu);
	call_cpu(cpu, CALL_WATCH, now);
	return true;
}

/* Return: likewise. Otherwise the next one that goes idle is wanted. */
static bool call_watcher(u64 now, int self)
{
	if (!watch_is_possible())
		return false;
	if (call_idle(now, self))
		return true;
	if (READ_ONCE(watch_wanted))
		return false;
	WRITE_ONCE(watch_wanted, true);
	/*
	 * One may have gone idle meanwhile. It says so before it looks whether it is wanted, but
	 * with no barrier in between, which each way into idle would pay for: both may miss the
	 * other. Then a tick calls again, as for any watcher that is lost.
	 */
	smp_mb();
	return call_idle(now, self);
}

/* The next tick of any CPU looks that comes half a period from now or later. */
static void look_again_soon(u64 now)
{
	/* Unless there is a watcher by now. */
	cmpxchg64(&watch_look_ns, now + lost_ns, now + settings.period_ns / 2);
}

/* Return: whether it was the one that watched. */
static bool resign(int self)
{
	return cmpxchg(&watch_cpu, self, NOBODY) == self;
}

bool watch_called(u64 now)
{
	int self = smp_processor_id(), watcher = READ_ONCE(watch_cpu);

	if (!sample_idle_task() || !cpumask_test_cpu(self, &overdue_members))
		return false;
	/* Whoever called knows of no better one. */
	if (cmpxchg(&watch_cpu, watcher, self) != watcher)
		return false;
	WRITE_ONCE(watch_look_ns, now + lost_ns);
	WRITE_ONCE(watch_wanted, false);
	awake_rest_ns(0);
	return true;
}

void watch_tick_slowly(u64 now, u64 late_ns, bool idle)
{
	int self = smp_processor_id(), watcher = READ_ONCE(watch_cpu);
	u64 look_ns = READ_ONCE(watch_look_ns);
	unsigned int turns;

	if (watcher == self) {
		WRITE_ONCE(watch_look_ns, now + lost_ns);
		overdue_look(now, now - late_ns, self);
		if (idle && !is_any_awake(self, &turns)) {
			resign(self);
			guard_begin(now, turns);
		} else if (!idle && !READ_ONCE(watch_wanted)) {
			call_watcher(now, self);
		}
		return;
	}

	/* Of all that find that nobody watches, one does. */
	if (cmpxchg64(&watch_look_ns, look_ns, now + lost_ns) != look_ns)
		return;
	if (idle && READ_ONCE(awake_known)) {
		/* It goes on doing so, if there is anybody to be watched. */
		if (is_any_awake(self, &turns))
			watch_called(now);
		else
			guard_look(now, turns);
		return;
	}
	if (watcher >= 0)
		cmpxchg(&watch_cpu, watcher, NOBODY);
	/* Looks into who is stuck are due at certain times, be others busy or not. */
	if (overdue_look(now, now - late_ns, self))
		look_again_soon(now);
	call_watcher(now, self);
}

u64 watch_woke(u64 now)
{
	u64 *calls = this_cpu_ptr(&calls_ns);
	int self = smp_processor_id();
	u64 most_ns = now + CALL_BURST * CALL_NS;

	if (watch_is_mine()) {
		/*
		 * That is what it has woken for. But it is to be asked again the next time, when
		 * there may be work.
		 */
		if (!need_resched())
			return 0;
		/*
		 * A watcher that has work hands over at once, not by its next tick, as others
		 * rely on it: once in a period was tried, and in many_stuck.sh a third of the
		 * windows missed looks, as it got stuck itself.
		 */
		call_watcher(now, self);
	} else if (call_pending(self)) {
		/* Somebody wants this very CPU to watch. Likewise. */
		return 0;
	} else if (READ_ONCE(watch_cpu) < 0 || watch_is_lost(now)) {
		if (*calls <= most_ns) {
			/* What is only wanted costs nothing. */
			if (call_watcher(now, self))
				*calls = max(*calls, now) + CALL_NS;
		} else if (guard_call(now)) {
			call_watcher(now, self);
		} else {
			/* Before those on guard have gone, this CPU asks again. */
			return min(*calls - most_ns, guard_sleeps_ns);
		}
	}
	return settings.period_ns;
}

void watch_was_stuck(u64 now)
{
	u64 *calls = this_cpu_ptr(&calls_ns);

	*calls = min(*calls, now + (CALL_BURST - CALLS_AFTER_WINDOW) * CALL_NS);
	awake_rest_ns(0);
}

void watch_start(void)
{
	__this_cpu_write(calls_ns, 0);
	overdue_start();
}

void watch_stop(int cpu)
{
	overdue_stop(cpu);
	guard_end(cpu);
	if (resign(cpu))
		WRITE_ONCE(watch_wanted, watch_is_possible());
}

void watch_over(void)
{
	WRITE_ONCE(watch_wanted, false);
}

u64 watch_phase(unsigned int rank)
{
	/* The golden ratio: each next one falls into the largest gap. */
	u32 share = rank * 0x9e3779b1U;

	return mul_u64_u32_shr(settings.period_ns, share, 32);
}
