// SPDX-License-Identifier: GPL-2.0
/*
 * Windows that the kernel accounts as stolen time: as if a hypervisor had run other VMs meanwhile.
 *
 * Context: the callback of an hrtimer runs in hardirq; all else in process context, on the CPU of
 * @w.
 */
#include <linux/kernel_stat.h>

#include "spend.h"
#include "window.h"

/* No emulator reports stolen time, so add it to the kernel's statistics. */
static void inject_account_steal(const struct inject_window *w)
{
	kcpustat_this_cpu->cpustat[CPUTIME_STEAL] += w->end_ns - w->start_ns;
}

/* The stolen time is accounted before the tick that ends the window. */
noinline __noclone void inject_steal(struct inject_window *w)
{
	local_irq_disable();
	inject_spend(w);
	inject_account_steal(w);
	local_irq_enable();
	inject_linger();
}

static enum hrtimer_restart inject_steal_timer(struct hrtimer *hrtimer)
{
	struct inject_window *w = container_of(hrtimer, struct inject_window, hrtimer);

	inject_account_steal(w);
	complete(&w->done);
	return HRTIMER_NORESTART;
}

/*
 * The stolen time is accounted after the tick that ends the window: by a timer that is due after
 * the tick, in the same interrupt.
 */
noinline __noclone void inject_steal_late(struct inject_window *w)
{
	local_irq_disable();
	inject_start_timer(w, inject_steal_timer, w->amount * NSEC_PER_USEC / 2);
	inject_spend(w);
	local_irq_enable();
	inject_linger();
	wait_for_completion(&w->done);
	hrtimer_cancel(&w->hrtimer);
}

/*
 * A softirq window of three times the requested time. The middle third has interrupts off, and is
 * stolen. The file shows the times of the last third.
 */
noinline __noclone void inject_steal_inside(struct inject_window *w)
{
	inject_softirqs_off();
	inject_spend(w);
	local_irq_disable();
	inject_spend(w);
	inject_account_steal(w);
	local_irq_enable();
	inject_spend(w);
	inject_softirqs_on();
	inject_linger();
}
