// SPDX-License-Identifier: GPL-2.0
/*
 * One CPU watches all others, to catch a hardirq window in the act.
 *
 * The stack at the end of such a window names the function that turned interrupts
 * back on, not the one that took the time. So once a period the watcher looks whether each
 * monitored CPU that is awake has taken its tick. One that has not is called, which tells
 * whether its interrupts are on (it may be only its timer that does not come: see
 * ticker.c), and asked for a look at itself by NMI (ask.c).
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
 * That a CPU has woken and gone idle in between is told by a number (awake.h) that is not
 * what it was the last time. From then on it counts: it cannot have been late before.
 *
 * Context: with each function in watch.h. No lock is taken. Each CPU reads two words that the
 * watcher writes, once a period and when it wakes. None writes there but the watcher, or who looks
 * in its place.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/topology.h>

#include "awake.h"
#include "call.h"
#include "guard.h"
#include "sample.h"
#include "settings.h"
#include "watch.h"

/*
 * A tick is missed when it is late by so much of a period, and by no less than this,
 * which is what leaving a deep idle state may take.
 */
#define MISSED_SHARE	8
#define MISSED_MIN_NS	(100 * NSEC_PER_USEC)

/* NMIs from one interrupt: when many CPUs are overdue, the others get theirs next time. */
#define NMIS_AT_ONCE	8

/* So many periods after its last tick a watcher is none any more. */
#define LOST_PERIODS	2

/* So rarely a CPU calls for a watcher when it wakes, on the whole; but wake-ups come in bursts. */
#define CALL_NS		(2 * NSEC_PER_SEC)
#define CALL_BURST	16
#define CALLS_AFTER_WINDOW	4

#define NOBODY		(-1)

/**
 * struct watched - one CPU
 * @turns: its awake_turns() when the watcher last looked; by the watcher
 * @since_ns: when they were first seen to be that; likewise
 * @calls_ns: as if it had called for a watcher as seldom as it may, up to then; by itself
 */
struct watched {
	unsigned int turns;
	u64 since_ns;
	u64 calls_ns;
};

static struct watched __percpu *watched;

/* Those that are monitored or have been told to begin. */
static struct cpumask members;

int watch_cpu = NOBODY;
u64 watch_look_ns;
u64 watch_missed_ns;
bool watch_possible;
bool watch_wanted;

/* See LOST_PERIODS. */
static u64 lost_ns;

/* Who was called last, and where the NMIs of one interrupt ended; by whoever watches. */
static int last_called;
static int last_asked;

void watch_prepare(unsigned int nr)
{
	u64 share_ns = div_u64(settings.period_ns, MISSED_SHARE);

	watch_missed_ns = max3(share_ns, (u64)MISSED_MIN_NS,
			       2ULL * hrtimer_resolution);
	WRITE_ONCE(lost_ns, LOST_PERIODS * settings.period_ns);
	/* One by itself has nobody to watch. */
	WRITE_ONCE(watch_possible, nr > 1);
	WRITE_ONCE(watch_look_ns, ktime_get_ns() + (watch_possible ? 0 : S64_MAX));
	WRITE_ONCE(watch_cpu, NOBODY);
	WRITE_ONCE(watch_wanted, watch_possible);
	guard_prepare(nr, lost_ns);
}

u64 watch_since(int cpu)
{
	const struct window *window = ask_window(cpu);
	const struct watched *w = per_cpu_ptr(watched, cpu);
	unsigned int turns = awake_turns(cpu);
	/* Another CPU may have opened it. Pairs with window_open(). */
	u64 began_ns = smp_load_acquire(&window->began_ns);

	/* 0: in its tick right now, or stopped. */
	if (!began_ns || READ_ONCE(window->begin_unseen))
		return began_ns;
	/* With them the time that belongs to them. Pairs with note_turns(). */
	if (turns & 1 || turns != smp_load_acquire(&w->turns))
		return 0;
	/* It has had a look at itself, and knows since when it is awake. */
	if (READ_ONCE(window->nr))
		return began_ns;
	/* It has not been idle since, so its tick was due a while after that. */
	return max(began_ns, READ_ONCE(w->since_ns) +
			     READ_ONCE(settings.first_ns));
}

/* Remember since when it has been awake or idle. */
static void note_turns(int cpu, u64 now)
{
	struct watched *w = per_cpu_ptr(watched, cpu);
	unsigned int turns = awake_turns(cpu);

	if (READ_ONCE(w->turns) == turns)
		return;
	WRITE_ONCE(w->since_ns, now);
	/*
	 * watch_since() may be called anywhere: not the new number with the old time. Pairs
	 * with the acquire there.
	 */
	smp_store_release(&w->turns, turns);
}

u64 watch_look_since(int cpu, u64 now)
{
	/* A watcher that has ticked within a period does, up to when it is lost. */
	if (!watch_is_possible() ||
	    watch_is_lost(now + READ_ONCE(lost_ns) - READ_ONCE(settings.period_ns)))
		note_turns(cpu, now);
	return watch_since(cpu);
}

/*
 * @due_ns: when the tick that looks was due. If it is late, it may be the host that was stopped,
 * and then all are: what came after that is not held against them.
 *
 * Return: since when a CPU has missed its tick; 0 when it has not.
 */
static u64 overdue_since(int cpu, u64 now, u64 due_ns)
{
	u64 since_ns;

	note_turns(cpu, now);
	since_ns = watch_since(cpu);
	return since_ns && due_ns >= since_ns + watch_missed_ns ? since_ns : 0;
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

static int next_member(int cpu)
{
	/* A CPU that joins or leaves meanwhile is seen or is not: either will do. */
	cpu = data_race(cpumask_next(cpu, &members));
	if (cpu >= nr_cpu_ids)
		/* Likewise. */
		cpu = data_race(cpumask_first(&members));
	return cpu;
}

/* Once round, from where the NMIs ended the last time. Return: whether any CPU is overdue. */
static bool look_after_all(u64 now, u64 late_ns, int self)
{
	int first = next_member(READ_ONCE(last_asked)), cpu = first;
	unsigned int left = nr_cpu_ids, asked = 0;
	bool any = false;

	if (first >= nr_cpu_ids)
		return false;
	do {
		u64 since_ns = cpu == self ? 0 : overdue_since(cpu, now, now - late_ns);

		any |= since_ns != 0;
		if (since_ns && look_after(cpu, now, since_ns, asked < NMIS_AT_ONCE) &&
		    ++asked == NMIS_AT_ONCE)
			WRITE_ONCE(last_asked, cpu);
		cpu = next_member(cpu);
	} while (cpu != first && cpu < nr_cpu_ids && --left);
	return any;
}

/* @turns: the sum of all others', when none is awake. */
static bool is_any_awake(int self, unsigned int *turns)
{
	int cpu = -1;

	*turns = 0;
	/* One that joins or leaves meanwhile calls by itself. */
	while ((cpu = data_race(cpumask_next(cpu, &members))) < nr_cpu_ids) {
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
	int first = next_member(READ_ONCE(last_called)), cpu = first;
	unsigned int left = nr_cpu_ids;

	if (first >= nr_cpu_ids)
		return NOBODY;
	do {
		if (cpu != self && awake_turns(cpu) & 1 && !call_pending(cpu) &&
		    (node < 0 || cpu_to_node(cpu) == node))
			return cpu;
		cpu = next_member(cpu);
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

	if (!sample_idle_task() || !cpumask_test_cpu(self, &members))
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
		look_after_all(now, late_ns, self);
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
	if (look_after_all(now, late_ns, self))
		look_again_soon(now);
	call_watcher(now, self);
}

u64 watch_woke(u64 now)
{
	struct watched *w = this_cpu_ptr(watched);
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
		if (w->calls_ns <= most_ns) {
			/* What is only wanted costs nothing. */
			if (call_watcher(now, self))
				w->calls_ns = max(w->calls_ns, now) + CALL_NS;
		} else if (guard_call(now)) {
			call_watcher(now, self);
		} else {
			/* Before those on guard have gone, this CPU asks again. */
			return min(w->calls_ns - most_ns, guard_sleeps_ns);
		}
	}
	return settings.period_ns;
}

void watch_was_stuck(u64 now)
{
	struct watched *w = this_cpu_ptr(watched);

	w->calls_ns = min(w->calls_ns,
			  now + (CALL_BURST - CALLS_AFTER_WINDOW) * CALL_NS);
	awake_rest_ns(0);
}

void watch_told(int cpu, u64 next_ns)
{
	struct window *window = ask_window(cpu);

	WRITE_ONCE(window->begin_unseen, true);
	window_open(window, next_ns, watch_missed_ns);
	cpumask_set_cpu(cpu, &members);
}

void watch_start(void)
{
	struct watched *w = this_cpu_ptr(watched);

	w->calls_ns = 0;
	WRITE_ONCE(ask_window(smp_processor_id())->begin_unseen, false);
	cpumask_set_cpu(smp_processor_id(), &members);
}

void watch_stop(int cpu)
{
	cpumask_clear_cpu(cpu, &members);
	guard_end(cpu);
	if (resign(cpu))
		WRITE_ONCE(watch_wanted, watch_is_possible());
}

void watch_stopped(int cpu)
{
	window_close(ask_window(cpu));
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

int watch_init(void)
{
	watched = alloc_percpu(struct watched);
	return watched ? 0 : -ENOMEM;
}

void watch_exit(void)
{
	free_percpu(watched);
}
