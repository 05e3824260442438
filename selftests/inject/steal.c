// SPDX-License-Identifier: GPL-2.0
/*
 * Windows that a hypervisor is said to have stolen, in whole or in part
 *
 * Context: process context, as the run() of a kind; inject_steal_timer() in hardirq context.
 */

#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kernel_stat.h>
#include <linux/timekeeping.h>

#include "../../module/compat.h"
#include "spend.h"
#include "steal.h"
#include "window.h"

/*
 * Has the kernel's books say that a hypervisor ran others in place of this CPU while
 * the window lasted, as an emulator never does.
 */
static void inject_account_steal(const struct inject_window *w)
{
	kcpustat_this_cpu->cpustat[CPUTIME_STEAL] += w->end_ns - w->start_ns;
}

/* The guest was told before the tick that ends the window. */
noinline __noclone int inject_steal(struct inject_window *w)
{
	local_irq_disable();
	inject_spend(w);
	inject_account_steal(w);
	local_irq_enable();
	inject_linger();
	return inject_outcome(w);
}

static enum hrtimer_restart inject_steal_timer(struct hrtimer *hrtimer)
{
	struct inject_window *w = container_of(hrtimer, struct inject_window,
					       steal_timer);

	inject_account_steal(w);
	complete(&w->done);
	return HRTIMER_NORESTART;
}

/*
 * The guest was told when that tick had run, by a timer that was due later and runs in
 * the same interrupt, as the kernel's own tick may.
 */
noinline __noclone int inject_steal_late(struct inject_window *w)
{
	reinit_completion(&w->done);
	local_irq_disable();
	hrtimer_start(&w->steal_timer,
		      ns_to_ktime(w->amount * NSEC_PER_USEC / 2),
		      HRTIMER_MODE_REL_PINNED_HARD);
	inject_spend(w);
	local_irq_enable();
	inject_linger();
	wait_for_completion(&w->done);
	return inject_outcome(w);
}

/* Stolen with softirqs off. */
noinline __noclone int inject_steal_bh(struct inject_window *w)
{
	local_bh_disable();
	inject_spend(w);
	local_irq_disable();
	inject_account_steal(w);
	local_irq_enable();
	local_bh_enable();
	inject_linger();
	return inject_outcome(w);
}

void inject_steal_init(struct inject_window *w)
{
	compat_hrtimer_setup(&w->steal_timer, inject_steal_timer,
			     CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
}
