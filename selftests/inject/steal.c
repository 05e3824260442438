// SPDX-License-Identifier: GPL-2.0
/*
 * Windows that the kernel accounts as steal time: as if a hypervisor had run others instead.
 *
 * Context: inject_steal_timer() runs in hardirq; all else in process context, as the run() of a
 * kind.
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

/* No emulator reports steal time, so write it into the kernel's statistics. */
static void inject_account_steal(const struct inject_window *w)
{
	kcpustat_this_cpu->cpustat[CPUTIME_STEAL] += w->end_ns - w->start_ns;
}

/* As if the hypervisor had reported it before the tick that ends the window. */
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
 * As if the hypervisor had reported it after that tick: a timer that is due later accounts it, in
 * the same interrupt. The scheduler's tick, which reads steal time, may also run after ours.
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
