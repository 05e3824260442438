// SPDX-License-Identifier: GPL-2.0
/*
 * CPUs that look after each other's ticks, to catch a hardirq window in the act.
 *
 * The stack at the end of such a window names the function that turned interrupts
 * back on, not the one that took the time. So on its own tick each CPU looks at when
 * the next monitored CPU's tick was due. When that has been missed, it has that CPU
 * take a sample of itself (ask.c). The CPUs form a ring; one that finds its neighbour
 * overdue looks after the neighbour's neighbour too, and so on: as long as one CPU in
 * it still ticks, all are watched.
 *
 *	CPU 0 tick      |              |              |              |
 *	CPU 1 tick   |              |              due, but interrupts are off
 *	                                               ^ CPU 0 looks: NMI to CPU 1
 *
 * CPUs that are idle leave the ring. All that are left may then have interrupts off at
 * once: one holds a lock, and the others spin for it. So while any CPU is awake, one that
 * is idle stays, the watcher. When it gets something to do it resigns, and another one
 * takes its place: who goes idle next, or who is woken for that (park.c).
 *
 * A CPU that was told to begin is in the ring from then on, and is awake: when it does
 * not come, it is overdue as any other.
 *
 * Context: with each function in watch.h. No lock is taken.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/smp.h>

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

#define NOBODY		(-1)

/**
 * struct watched - one CPU
 * @idle: it is idle; by itself
 * @found_at: what @nr_ring_changes was when it found @neighbour
 * @neighbour: of the next one in the ring, NULL when there is no other; by itself
 */
struct watched {
	bool idle;
	int found_at;
	const struct window *neighbour;
};

static struct watched __percpu *watched;

/*
 * The ring. A CPU puts itself in, or whoever tells it to begin does; it takes itself out
 * when it is parked, or whoever stops it does.
 */
static struct cpumask ring;
static atomic_t nr_ring_changes;

atomic_t watch_watcher = ATOMIC_INIT(NOBODY);

u64 watch_missed_ns;

void watch_prepare(void)
{
	u64 share_ns = div_u64(settings.period_ns, MISSED_SHARE);

	watch_missed_ns = max3(share_ns, (u64)MISSED_MIN_NS,
			       2ULL * hrtimer_resolution);
	atomic_set(&watch_watcher, ask_obstacle ? nr_cpu_ids : NOBODY);
}

/* Return: whether that CPU has missed its tick. */
static bool has_missed(const struct window *window, u64 now, u64 *began_ns)
{
	/* Another CPU may have opened it. Pairs with window_open(). */
	*began_ns = smp_load_acquire(&window->began_ns);

	/* 0: in its tick right now, or stopped. */
	return *began_ns && now >= *began_ns + watch_missed_ns;
}

static bool is_overdue(int cpu, u64 now)
{
	u64 began_ns;

	return has_missed(ask_window(cpu), now, &began_ns);
}

static int next_in_ring(int cpu)
{
	/* A CPU that joins or leaves meanwhile is seen or is not: either will do. */
	cpu = data_race(cpumask_next(cpu, &ring));
	if (cpu >= nr_cpu_ids)
		/* Likewise. */
		cpu = data_race(cpumask_first(&ring));
	return cpu;
}

/*
 * The neighbour is overdue, and so may be others behind it. Not inlined, as the next: a tick
 * would save the registers for it that it does not need.
 */
static noinline void look_after_ring(u64 now)
{
	int self = smp_processor_id(), cpu = self;
	unsigned int left = nr_cpu_ids, asked = 0;
	const struct window *window;
	u64 began_ns;

	/* Once round at most; who is being stopped is not in the ring itself. */
	while (left-- && asked < NMIS_AT_ONCE) {
		cpu = next_in_ring(cpu);
		if (cpu >= nr_cpu_ids || cpu == self)
			break;
		window = ask_window(cpu);
		if (!has_missed(window, now, &began_ns))
			break;
		/* A watcher that does not tick is none. */
		atomic_cmpxchg(&watch_watcher, cpu, NOBODY);
		if (window_wants(window, now - began_ns))
			asked += ask_for_look(cpu, now);
	}
}

static noinline void find_neighbour(struct watched *w)
{
	int self = smp_processor_id(), cpu;

	/*
	 * Counted before it is looked for, and by those who change the ring after they
	 * did: what comes in between is seen, or looked for again next time.
	 */
	w->found_at = atomic_read_acquire(&nr_ring_changes);
	cpu = next_in_ring(self);
	w->neighbour = cpu < nr_cpu_ids && cpu != self ? ask_window(cpu) : NULL;
}

void watch_others(u64 now)
{
	struct watched *w = this_cpu_ptr(watched);
	u64 began_ns;

	if (unlikely(w->found_at != atomic_read(&nr_ring_changes)))
		find_neighbour(w);
	if (w->neighbour && unlikely(has_missed(w->neighbour, now, &began_ns)) &&
	    !READ_ONCE(ask_obstacle))
		look_after_ring(now);
}

static void join(int cpu)
{
	if (!cpumask_test_and_set_cpu(cpu, &ring))
		atomic_inc_return_release(&nr_ring_changes);
}

static void leave(int cpu)
{
	if (cpumask_test_and_clear_cpu(cpu, &ring))
		atomic_inc_return_release(&nr_ring_changes);
}

void watch_told(int cpu, u64 next_ns)
{
	struct window *window = ask_window(cpu);

	WRITE_ONCE(per_cpu_ptr(watched, cpu)->idle, false);
	WRITE_ONCE(window->begin_unseen, true);
	window_open(window, next_ns, watch_missed_ns);
	join(cpu);
}

void watch_start(u64 next_ns)
{
	struct window *window = ask_window(smp_processor_id());

	watch_set_idle(false);
	WRITE_ONCE(window->begin_unseen, false);
	window_open(window, next_ns, watch_missed_ns);
	join(smp_processor_id());
}

void watch_stop(int cpu)
{
	leave(cpu);
	atomic_cmpxchg(&watch_watcher, cpu, NOBODY);
}

void watch_set_idle(bool idle)
{
	WRITE_ONCE(this_cpu_ptr(watched)->idle, idle);
}

/* Is there a CPU other than this one that has to be looked after? */
static bool is_any_awake(u64 now)
{
	int self = smp_processor_id(), cpu = -1;

	/* One that joins or leaves meanwhile: see must_watch(). */
	while ((cpu = data_race(cpumask_next(cpu, &ring))) < nr_cpu_ids)
		if (cpu != self &&
		    (!READ_ONCE(per_cpu_ptr(watched, cpu)->idle) ||
		     is_overdue(cpu, now)))
			return true;
	return false;
}

/* This CPU is idle. Be the watcher, if one is needed. */
static bool must_watch(u64 now)
{
	int self = smp_processor_id();
	int other = atomic_read(&watch_watcher);

	if (other == NOBODY)
		other = atomic_cmpxchg(&watch_watcher, NOBODY, self);
	if (other != NOBODY && other != self) {
		if (!is_overdue(other, now))
			return false;
		/* It may be stuck itself. Who is first takes its place. */
		atomic_cmpxchg(&watch_watcher, other, self);
		return true;
	}

	if (is_any_awake(now))
		return true;
	/*
	 * Either we see that another one is awake, or it sees that there is no watcher:
	 * this comes with a full barrier, and so does join(). One that was in the ring
	 * already when it woke may miss it, and finds out on its next tick.
	 */
	atomic_xchg(&watch_watcher, NOBODY);
	if (!is_any_awake(now))
		return false;
	atomic_cmpxchg(&watch_watcher, NOBODY, self);
	return true;
}

bool watch_rest(u64 now)
{
	if (!READ_ONCE(ask_obstacle) && must_watch(now))
		return false;
	leave(smp_processor_id());
	window_close(ask_window(smp_processor_id()));
	return true;
}

bool watch_resign(void)
{
	int self = smp_processor_id();

	return atomic_read(&watch_watcher) == self &&
	       atomic_cmpxchg(&watch_watcher, self, NOBODY) == self;
}

void watch_stopped(int cpu)
{
	window_close(ask_window(cpu));
}

u64 watch_phase(unsigned int rank, unsigned int nr)
{
	/* How many places in the period lie between a CPU and the one it watches. */
	unsigned int step = max((nr + 2) / 4, 1U);
	unsigned int place = (nr - rank) * step % nr;

	return div_u64(settings.period_ns * place, nr);
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
