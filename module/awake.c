// SPDX-License-Identifier: GPL-2.0
/*
 * Knows since when a CPU has been awake. A CPU that is idle is late for nothing, and the
 * kernel's tick, which ours rides on, stands still there.
 *
 * On the way into idle and out of it each instruction counts. So a CPU only notes its cycle
 * counter; what that means in nanoseconds is worked out when somebody asks. The
 * result is off by as much as the two clocks differ in speed, and is taken as earlier or
 * later by that, whichever is on the safe side.
 *
 * How an idle CPU wakes depends on how it sleeps. With mwait, or by the platform's way,
 * interrupts are off, and it is known to be awake before it takes the one that wakes it. If
 * that takes as long as a window, and no task ran, it is counted. With hlt, as in most virtual
 * machines, that interrupt has run before anybody knows. But when the CPU went idle, its first
 * timer was set, and that is when it was to wake at the latest.
 *
 * Context: with each function in awake.h.
 */
#include <linux/cpumask.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>

#include "awake.h"
#include "settings.h"

/* Clocks differ by less than one in so many: NTP slews by 1/2000 at most. */
#define CLOCK_ERROR	1024

DEFINE_PER_CPU(struct awake, awakes);
bool awake_known;
cycles_t awake_long = (cycles_t)-1;

/* Nanoseconds for (1 << CYCLES_SHIFT) cycles; 0 where there is no counter. */
#define CYCLES_SHIFT	22

static u32 cycles_mult;
u64 awake_mult;

static cycles_t cycles_of(u64 ns, u64 khz)
{
	return div_u64(div_u64(ns, NSEC_PER_USEC) * khz, MSEC_PER_SEC);
}

void awake_prepare(u64 threshold_ns)
{
	u64 khz = compat_cycles_khz();

	if (!khz)
		return;
	WRITE_ONCE(cycles_mult, div64_u64((u64)USEC_PER_SEC << CYCLES_SHIFT, khz));
	WRITE_ONCE(awake_mult, div_u64(khz << AWAKE_SHIFT, USEC_PER_SEC));
	WRITE_ONCE(awake_long, cycles_of(threshold_ns, khz));
}

void awake_start(const struct hrtimer *timer)
{
	struct awake *a = this_cpu_ptr(&awakes);

	a->timers = timer->base->cpu_base;
	a->expires = KTIME_MAX;
	a->late = get_cycles() + (1ULL << 62);
	awake_note_time(ktime_get_ns());

	if (a->turns & 1)
		WRITE_ONCE(a->turns, a->turns + 1);
	/* An NMI may read it. */
	WRITE_ONCE(a->woke, 0);
}

/* Of a CPU that has never been monitored. */
static const struct hrtimer_cpu_base no_timers = { .expires_next = KTIME_MAX };

bool awake_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(awakes, cpu).timers = &no_timers;
	return compat_cycles_khz();
}

void awake_check_long(void)
{
	struct awake *a = this_cpu_ptr(&awakes);

	if (awake_was_long() && a->woke && a->switches == current->nivcsw &&
	    (s64)(a->seen - a->woke) < 0)
		awake_count_unseen();
}

void awake_check_late(void)
{
	struct awake *a = this_cpu_ptr(&awakes);
	u64 now = ktime_get_ns(), expires_ns = ktime_to_ns(a->expires);

	if (!awake_was_late())
		return;
	/* By the clock itself, and if no tick has made a record of it, as it was late. */
	if (now > expires_ns && now - expires_ns >= READ_ONCE(settings.threshold_ns) &&
	    (s64)(a->seen - a->late + READ_ONCE(awake_long)) < 0)
		awake_count_unseen();
	awake_note_time(now);
}

/* For how long it has been awake, as the cycle counter says; @now when nobody knows. */
static u64 awake_ns(u64 now)
{
	cycles_t woke = READ_ONCE(this_cpu_ptr(&awakes)->woke);
	s64 cycles = get_cycles() - woke;

	/* Suspended, it may start again from zero. */
	if (!woke || cycles < 0 || !READ_ONCE(awake_known))
		return now;
	return min(now, mul_u64_u32_shr(cycles, READ_ONCE(cycles_mult), CYCLES_SHIFT));
}

u64 awake_since(u64 now)
{
	u64 ns = awake_ns(now);

	return ns == now ? 0 : now - (ns - ns / CLOCK_ERROR);
}

u64 awake_not_before(u64 now)
{
	u64 ns = awake_ns(now);

	return now - min(now, ns + ns / CLOCK_ERROR);
}

void awake_rest_ns(u64 ns)
{
	struct awake *a = this_cpu_ptr(&awakes);

	a->rests_until = ns ? a->woke + cycles_of(ns, compat_cycles_khz()) : 0;
}

u64 awake_unseen(void)
{
	u64 unseen = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		unseen += READ_ONCE(per_cpu(awakes, cpu).unseen);
	return unseen;
}
