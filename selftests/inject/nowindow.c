// SPDX-License-Identifier: GPL-2.0
/*
 * Kinds that make no window: a busy loop of known size, NMIs, and the end of a suspend to idle.
 *
 * Context: nowindow_wakeup() runs in hardirq; all else in process context, on the CPU of @w.
 */
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/suspend.h>

#ifdef CONFIG_X86_64
#include <asm/apic.h>
#endif

#include "compat.h"
#include "spend.h"
#include "window.h"

#define LOOP_BATCH	1000000	/* iterations from one cond_resched() to the next */

/* The loop may take minutes, so a signal can kill it. */
noinline __noclone void inject_nowindow_run_loop(struct inject_window *w)
{
	u64 start_ns = ktime_get_mono_fast_ns();
	u64 left = w->amount;
	u32 batch;

	while (left && raw_smp_processor_id() == w->cpu) {
		batch = min_t(u64, left, LOOP_BATCH);
		left -= batch;
		while (batch--)
			barrier();
		if (fatal_signal_pending(current))
			return;
		cond_resched();
	}

	if (!left) {
		w->start_ns = start_ns;
		w->end_ns = ktime_get_mono_fast_ns();
	}
}

#ifdef CONFIG_X86_64
/*
 * No handler expects these NMIs, as if broken hardware or a watchdog card sent them. trace_irqoff
 * also uses the local APIC, so a test takes them for NMIs of trace_irqoff that arrive late.
 */
void inject_nowindow_run_nmis(struct inject_window *w)
{
	u64 left;

	w->start_ns = ktime_get_mono_fast_ns();
	for (left = w->amount; left; left--) {
		/* The CPU may merge an NMI that arrives while it handles another NMI. */
		preempt_disable();
		if (raw_smp_processor_id() == w->cpu)
			apic->send_IPI_mask(cpumask_of(w->cpu), NMI_VECTOR);
		preempt_enable();
	}
	w->end_ns = ktime_get_mono_fast_ns();
}
#endif

static struct hrtimer wakeup_timer;	/* may be armed after run() */

static enum hrtimer_restart nowindow_wakeup(struct hrtimer *hrtimer)
{
	pm_system_wakeup();
	return HRTIMER_NORESTART;
}

/* A VM has no device that ends a suspend to idle. The suspend starts after this has returned. */
void inject_nowindow_run_wakeup(struct inject_window *w)
{
	hrtimer_start(&wakeup_timer, ns_to_ktime(w->amount * NSEC_PER_USEC),
		      HRTIMER_MODE_REL_PINNED_HARD);
	w->start_ns = ktime_get_mono_fast_ns();
	w->end_ns = w->start_ns;
}

void inject_nowindow_init(void)
{
	compat_hrtimer_setup(&wakeup_timer, nowindow_wakeup, CLOCK_MONOTONIC,
			     HRTIMER_MODE_REL_PINNED_HARD);
}

void inject_nowindow_exit(void)
{
	hrtimer_cancel(&wakeup_timer);
}
