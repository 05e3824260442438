// SPDX-License-Identifier: GPL-2.0
/*
 * NMIs that no handler knows of, as broken hardware sends them, or a watchdog's card
 *
 * They come by the local APIC, like those of trace_irqoff: so one may also stand for one of
 * its own that has been on its way for long.
 *
 * Context: process, on the CPU that they go to.
 */

#include <linux/cpumask.h>
#include <linux/ktime.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include <asm/apic.h>

#include "nmi.h"
#include "spend.h"
#include "window.h"

int inject_nmis(struct inject_window *w)
{
	u64 left;

	w->start_ns = ktime_get_mono_fast_ns();
	for (left = w->amount; left; left--) {
		/* One that comes while another one is being handled may be merged with it. */
		preempt_disable();
		if (raw_smp_processor_id() == w->cpu)
			apic->send_IPI_mask(cpumask_of(w->cpu), NMI_VECTOR);
		preempt_enable();
	}
	w->end_ns = ktime_get_mono_fast_ns();
	return 0;
}
