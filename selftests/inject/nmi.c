// SPDX-License-Identifier: GPL-2.0
/*
 * NMIs that no handler expects, as broken hardware or a watchdog card sends them.
 *
 * The local APIC sends them, like those of trace_irqoff. So a test also uses them as NMIs of
 * trace_irqoff that arrive late.
 *
 * Context: process, on the CPU that the NMIs are sent to.
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
		/* The CPU may merge an NMI that arrives while it handles another NMI. */
		preempt_disable();
		if (raw_smp_processor_id() == w->cpu)
			apic->send_IPI_mask(cpumask_of(w->cpu), NMI_VECTOR);
		preempt_enable();
	}
	w->end_ns = ktime_get_mono_fast_ns();
	return 0;
}
