// SPDX-License-Identifier: GPL-2.0
/*
 * A load of known size: no window. It may take minutes, so a signal can kill it.
 *
 * Context: process, on the CPU of the load.
 */
#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "load.h"
#include "spend.h"

/* Iterations of the "loop" kind from one cond_resched() to the next. */
#define INJECT_LOOP_BATCH	1000000

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

	if (!left) {
		w->start_ns = start_ns;
		w->end_ns = ktime_get_mono_fast_ns();
	}
	return inject_outcome(w);
}
