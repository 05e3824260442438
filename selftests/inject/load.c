// SPDX-License-Identifier: GPL-2.0
/*
 * Loads of known size
 *
 * They are no windows. How long one takes shows what others take from the CPU meanwhile. A
 * user can kill them, as they may go on for minutes.
 *
 * Context: inject_busy_tasklet() runs in softirq context (on PREEMPT_RT in the thread that
 * stands in for it); all else in process context, on the CPU of the load.
 */

#include <linux/bottom_half.h>
#include <linux/compiler.h>
#include <linux/interrupt.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "load.h"
#include "spend.h"

/* Iterations of the "loop" kind from one cond_resched() to the next. */
#define INJECT_LOOP_BATCH	1000000

/* What run() returns of a load, of which so much is left. */
static int inject_load_outcome(struct inject_window *w, u64 start_ns, u64 left)
{
	if (!left) {
		w->start_ns = start_ns;
		w->end_ns = ktime_get_mono_fast_ns();
	}
	return inject_outcome(w);
}

noinline __noclone int inject_loop(struct inject_window *w)
{
	u64 start_ns = ktime_get_mono_fast_ns();
	u64 left = w->amount;
	u32 batch;

	while (left && raw_smp_processor_id() == w->cpu) {
		batch = min_t(u64, left, INJECT_LOOP_BATCH);
		left -= batch;
		while (batch--)
			barrier();
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}

	return inject_load_outcome(w, start_ns, left);
}

void inject_busy_tasklet(struct tasklet_struct *unused)
{
	inject_nothing(INJECT_TURNS);
}

/*
 * Nearly all of it is in softirq handlers: the tasklet takes INJECT_TURNS turns each
 * time, and runs as softirqs are enabled again.
 */
noinline __noclone int inject_tasklets(struct inject_window *w)
{
	u64 start_ns = ktime_get_mono_fast_ns();
	u64 left;

	for (left = w->amount; left && raw_smp_processor_id() == w->cpu; left--) {
		local_bh_disable();
		tasklet_schedule(&w->busy_tasklet);
		local_bh_enable();
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}

	return inject_load_outcome(w, start_ns, left);
}
