// SPDX-License-Identifier: GPL-2.0
/*
 * By how much a riding tick is late. It has no interrupt of its own, so there are other reasons
 * for not coming than a CPU that could take none: the CPU was idle, had just left idle, or
 * somebody has set the clock. What is left is exact, or less than the truth.
 *
 * Context: hardirq.
 */
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>

#include "awake.h"
#include "compat.h"
#include "late.h"
#include "sample.h"
#include "settings.h"
#include "ticker.h"
#include "watch.h"

/*
 * The idle task was interrupted, so no tick of the scheduler's had to come. But there is the
 * timer that the CPU was to wake for. If the riding one was ready by then, it has run with
 * the first timer interrupt since. If it was not, this may be that interrupt all the same, as
 * it has taken so long; or a later one, beneath softirqs.
 */
static u64 late_in_idle(const struct ticker *t, u64 now)
{
	u64 expires_ns = ktime_to_ns(awake_expires());

	awake_note_time(now);
	if (now < expires_ns ||
	    (expires_ns + TICK_NSEC < t->due_ns && !awake_is_first()))
		return 0;
	awake_is_over();
	return min(now - expires_ns, now - t->ran_ns);
}

/* Since when the current task has had the CPU; 0 when nobody knows. */
static u64 task_runs_since(u64 now)
{
	u64 arrived = compat_task_arrived(current), clock = local_clock();

	return arrived && arrived <= clock && clock - arrived < now ?
		now - (clock - arrived) : 0;
}

/*
 * Nobody could call this CPU, and there is another timer of the clock that ticks ride by, which may
 * have kept them from coming.
 */
static void doubt_ride(struct ticker *t, u64 now)
{
	if (now - t->due_ns >= READ_ONCE(settings.threshold_ns))
		awake_count_unseen();
	ticker_stays_alone(t, now);
}

u64 late_ride(struct ticker *t, u64 now)
{
	s64 moved_ns;
	u64 due_ns, free_ns, runs_ns;

	if (sample_idle_task() && awake_is_idle())
		return late_in_idle(t, now);
	if (!watch_is_possible() && awake_first(t->ride.base)) {
		doubt_ride(t, now);
		return 0;
	}

	/* Somebody may have set the clock since. */
	moved_ns = ktime_to_ns(hrtimer_get_softexpires(&t->ride)) + TICK_NSEC -
		   ktime_to_ns(ticker_tai(t->due_ns));
	free_ns = awake_since(now);
	/*
	 * The scheduler's tick goes on when the CPU leaves idle for a task. With mwait, the
	 * interrupt that woke it and its softirqs come in between, and nobody knows which of them
	 * it was. If this is another task already, the lateness is less than it was, by a tick at
	 * most.
	 */
	if (t->ran_ns < free_ns) {
		runs_ns = task_runs_since(now);
		if (runs_ns > free_ns &&
		    runs_ns - free_ns >= READ_ONCE(settings.threshold_ns))
			awake_count_unseen();
		free_ns = max(free_ns, runs_ns);
	}
	due_ns = max3(t->due_ns, free_ns + TICK_NSEC,
		      moved_ns > 0 ? t->due_ns + moved_ns : 0);
	return now > due_ns ? now - due_ns : 0;
}
