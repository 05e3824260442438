// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * A storm: softirqs are off while an interrupt, which /proc/interrupts shows as irqoff_inject,
 * arrives each STORM_NS. No device is needed: an hrtimer calls the handler of the interrupt.
 */
#include <linux/bottom_half.h>
#include <linux/interrupt.h>
#include <linux/irq.h>

#include "compat.h"
#include "spend.h"
#include "window.h"

#define STORM_NS	(25 * NSEC_PER_USEC)

static int inject_storm_irq;

static irqreturn_t inject_storm_handle(int irq, void *unused)
{
	return IRQ_HANDLED;
}

static enum hrtimer_restart inject_storm_raise(struct hrtimer *hrtimer)
{
	generic_handle_irq(inject_storm_irq);
	hrtimer_forward_now(hrtimer, ns_to_ktime(STORM_NS));
	return HRTIMER_RESTART;
}

static noinline __noclone void inject_storm(struct inject_window *w)
{
	local_bh_disable();
	hrtimer_start(&w->hrtimer, ns_to_ktime(STORM_NS), HRTIMER_MODE_REL_PINNED_HARD);
	inject_spend(w);
	hrtimer_cancel(&w->hrtimer);
	local_bh_enable();
	inject_linger();
}

void inject_storm_run(struct inject_window *w)
{
	compat_hrtimer_setup(&w->hrtimer, inject_storm_raise, CLOCK_MONOTONIC,
			     HRTIMER_MODE_REL_PINNED_HARD);
	inject_storm(w);
}

int inject_storm_init(void)
{
	int ret;

	/* Without an owner: request_irq() would hold a reference to it, and rmmod would fail. */
	inject_storm_irq = __irq_alloc_descs(-1, 0, 1, NUMA_NO_NODE, NULL, NULL);
	if (inject_storm_irq < 0)
		return inject_storm_irq;
	irq_set_chip_and_handler(inject_storm_irq, &dummy_irq_chip, handle_simple_irq);
	/* On arm64, a new interrupt cannot be requested otherwise. */
	irq_clear_status_flags(inject_storm_irq, IRQ_NOREQUEST);
	ret = request_irq(inject_storm_irq, inject_storm_handle, IRQF_NO_THREAD, "irqoff_inject",
			  NULL);
	if (ret)
		irq_free_desc(inject_storm_irq);
	return ret;
}

void inject_storm_exit(void)
{
	free_irq(inject_storm_irq, NULL);
	irq_free_desc(inject_storm_irq);
}
