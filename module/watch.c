// SPDX-License-Identifier: GPL-2.0
/*
 * CPUs that look after each other's ticks, to catch a hardirq window in the act.
 *
 * The stack at the end of such a window names the function that turned interrupts
 * back on, not the one that took the time. So on its own tick each CPU looks at when
 * the next monitored CPU's tick was due. When that has been missed, it sends an NMI
 * there, which interrupts are no obstacle to, and has that CPU take a sample of
 * itself. The CPUs form a ring; one that finds its neighbour overdue looks after the
 * neighbour's neighbour too, and so on: as long as one CPU still ticks, all are
 * watched.
 *
 *	CPU 0 tick      |              |              |              |
 *	CPU 1 tick   |              |              due, but interrupts are off
 *	                                               ^ CPU 0 looks: NMI to CPU 1
 *
 * A request for a look names the window that it is for, by when that window's tick was
 * due. The NMI handler compares: an NMI that comes when the window is over, as a
 * hypervisor may delay it, finds another one and takes no sample. Only who puts a
 * request in an empty place sends an NMI, or in that of one that has been lost. An NMI
 * of others may answer the request before; then the one that we sent is a stray, which
 * the CPU claims if it comes within a second of its last answer.
 *
 * Context: watch_nmi() runs in NMI; with the others see watch.h. No lock is taken.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/timekeeping.h>

#include "nmi.h"
#include "settings.h"
#include "watch.h"

/*
 * A tick is missed when it is late by so much of a period, and by no less than this,
 * which is what leaving a deep idle state may take.
 */
#define MISSED_SHARE	8
#define MISSED_MIN_NS	(100 * NSEC_PER_USEC)

/*
 * A request that has not been answered for so long is lost, and may be made again; an
 * NMI without a request is not ours any more so long after the last answer; and at
 * unload so long is waited for NMIs on their way.
 */
#define LOST_NS		NSEC_PER_SEC
#define LOST_MS		1000
#define STRAY_MS	20	/* for strays, at unload: they are right behind */

/**
 * struct watched - one CPU
 * @request: @window.began_ns of the window to look into, 0 when nobody has asked.
 *	Set by others, cleared by the NMI on this CPU
 * @sent: NMIs for it; by others
 * @taken: those that came; by itself
 * @late: those of them that came too late; by itself
 * @answered_ns: the last answer to a request, 0 when a stray was claimed since
 * @idle: it is idle; by itself
 * @neighbour: the next one in the ring, NULL when there is no other; by itself
 * @found_at: what @nr_ring_changes was when it found that out
 * @window: open from the time that its tick is due
 */
struct watched {
	atomic64_t request;
	atomic64_t sent;
	u64 taken;
	u64 late;
	u64 answered_ns;
	bool idle;
	int found_at;
	struct watched *neighbour;
	struct window window;
};

static struct watched __percpu *watched;

/*
 * The ring, and how many are in it. A CPU puts itself in, and takes itself out when it
 * is parked; or whoever stops it does.
 */
static struct cpumask ring;
static atomic_t nr_in_ring;
static atomic_t nr_ring_changes;

static const char *obstacle;

u64 watch_missed_ns;

void watch_prepare(void)
{
	u64 share_ns = div_u64(settings.period_ns, MISSED_SHARE);

	watch_missed_ns = max3(share_ns, (u64)MISSED_MIN_NS,
			       2ULL * hrtimer_resolution);
}

/* NMI. */
static bool watch_nmi(struct pt_regs *regs)
{
	struct watched *w = this_cpu_ptr(watched);
	u64 asked_ns = atomic64_read(&w->request);
	u64 began_ns = w->window.began_ns;
	u64 now = ktime_get_mono_fast_ns();

	if (!asked_ns)
		return false;

	if (asked_ns != began_ns)
		w->late++;
	else if (now > began_ns && window_wants(&w->window, now - began_ns))
		window_look(&w->window, now,
			    READ_ONCE(settings.threshold_ns),
			    STATE_IRQ_OFF, regs);
	w->taken++;
	w->answered_ns = now;

	/*
	 * The next NMI may be sent when this one is done with the window. Pairs
	 * with the cmpxchg in ask().
	 */
	atomic64_set_release(&w->request, 0);
	return true;
}

/* NMI. */
static bool watch_stray_nmi(void)
{
	struct watched *w = this_cpu_ptr(watched);
	u64 answered_ns = w->answered_ns;

	w->answered_ns = 0;
	return answered_ns &&
	       ktime_get_mono_fast_ns() - answered_ns < LOST_NS;
}

static const struct nmi_user nmi_user = {
	.handle = watch_nmi,
	.handle_stray = watch_stray_nmi,
};

static void ask(int cpu, struct watched *w, u64 began_ns)
{
	u64 lost_ns = atomic64_cmpxchg(&w->request, 0, began_ns);

	if (lost_ns && (began_ns < lost_ns + LOST_NS ||
			atomic64_cmpxchg(&w->request, lost_ns, began_ns) !=
			(s64)lost_ns))
		return;
	atomic64_inc(&w->sent);
	nmi_send(cpu);
}

/* Return: whether that CPU has missed its tick. */
static bool has_missed(const struct watched *w, u64 now, u64 *began_ns)
{
	*began_ns = READ_ONCE(w->window.began_ns);

	/* 0: in its tick right now, or stopped. */
	return *began_ns && now >= *began_ns + watch_missed_ns;
}

/* Return: likewise. It is asked what it does. */
static bool look_after(int cpu, u64 now)
{
	struct watched *w = per_cpu_ptr(watched, cpu);
	u64 began_ns;

	if (!has_missed(w, now, &began_ns))
		return false;
	if (window_wants(&w->window, now - began_ns))
		ask(cpu, w, began_ns);
	return true;
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
	int self = smp_processor_id();
	unsigned int left = nr_cpu_ids;
	int cpu = self;

	/* Once round at most; who is being stopped is not in the ring itself. */
	do {
		cpu = next_in_ring(cpu);
	} while (cpu < nr_cpu_ids && cpu != self && --left &&
		 look_after(cpu, now));
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
	w->neighbour = cpu < nr_cpu_ids && cpu != self ?
		       per_cpu_ptr(watched, cpu) : NULL;
}

bool watch_others(u64 now)
{
	struct watched *w = this_cpu_ptr(watched);
	u64 began_ns;

	if (unlikely(w->found_at != atomic_read(&nr_ring_changes)))
		find_neighbour(w);
	if (!w->neighbour)
		return obstacle;
	if (unlikely(has_missed(w->neighbour, now, &began_ns)) && !obstacle)
		look_after_ring(now);
	return true;
}

static void join(int cpu)
{
	if (cpumask_test_and_set_cpu(cpu, &ring))
		return;
	atomic_inc(&nr_in_ring);
	atomic_inc_return_release(&nr_ring_changes);
}

static void leave(int cpu)
{
	if (!cpumask_test_and_clear_cpu(cpu, &ring))
		return;
	atomic_dec(&nr_in_ring);
	atomic_inc_return_release(&nr_ring_changes);
}

void watch_start(u64 next_ns)
{
	window_open(&this_cpu_ptr(watched)->window, next_ns, watch_missed_ns);
	join(smp_processor_id());
}

void watch_stop(int cpu)
{
	leave(cpu);
}

bool watch_alone(void)
{
	return atomic_read(&nr_in_ring) == 1 && !obstacle;
}

void watch_set_idle(bool idle)
{
	WRITE_ONCE(this_cpu_ptr(watched)->idle, idle);
}

bool watch_rest(void)
{
	int self = smp_processor_id(), other;

	/*
	 * Either we see that the other one is awake, or it sees that it is alone: this
	 * comes with a full barrier, and so does join(). One that was in the ring
	 * already when it woke may miss it, and finds out on its next tick.
	 */
	leave(self);
	other = next_in_ring(self);
	if (watch_alone() && other < nr_cpu_ids &&
	    !READ_ONCE(per_cpu_ptr(watched, other)->idle)) {
		join(self);
		return false;
	}
	window_close(&this_cpu_ptr(watched)->window);
	return true;
}

void watch_stopped(int cpu)
{
	window_close(&per_cpu_ptr(watched, cpu)->window);
}

void watch_cpu_online(int cpu)
{
	atomic64_set(&per_cpu_ptr(watched, cpu)->request, 0);
}

u64 watch_phase(unsigned int rank, unsigned int nr)
{
	/* How many places in the period lie between a CPU and the one it watches. */
	unsigned int step = max((nr + 2) / 4, 1U);
	unsigned int place = (nr - rank) * step % nr;

	return div_u64(settings.period_ns * place, nr);
}

struct window *watch_window(int cpu)
{
	return &per_cpu_ptr(watched, cpu)->window;
}

const char *watch_obstacle(void)
{
	return obstacle;
}

void watch_count(struct watch_counts *counts)
{
	int cpu;

	*counts = (struct watch_counts) {};
	for_each_possible_cpu(cpu) {
		struct watched *w = per_cpu_ptr(watched, cpu);

		counts->sent += atomic64_read(&w->sent);
		counts->taken += READ_ONCE(w->taken);
		counts->late += READ_ONCE(w->late);
	}
}

int watch_init(bool nmi)
{
	watched = alloc_percpu(struct watched);
	if (!watched)
		return -ENOMEM;

	if (!nmi)
		obstacle = "parameter";
	else if (!NMI_SUPPORTED)
		obstacle = "architecture";
	else if (num_possible_cpus() == 1)
		obstacle = "one CPU";
	else if (nmi_init(&nmi_user))
		obstacle = "registration failed";
	return 0;
}

static bool requests_pending(void)
{
	int cpu;

	for_each_online_cpu(cpu)
		if (atomic64_read(&per_cpu_ptr(watched, cpu)->request))
			return true;
	return false;
}

void watch_exit(void)
{
	int ms;

	/* An NMI of ours that came after nmi_exit() would be an unknown one. */
	if (!obstacle) {
		for (ms = 0; ms < LOST_MS && requests_pending(); ms++)
			usleep_range(1000, 1100);
		msleep(STRAY_MS);
		nmi_exit();
	}
	free_percpu(watched);
}
