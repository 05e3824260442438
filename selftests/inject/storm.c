// SPDX-License-Identifier: GPL-2.0
/*
 * Interrupts that /proc/interrupts shows as irqoff_inject. No device is needed: an hrtimer calls
 * the handler. Either one comes, and the handler takes long; or it is a storm: softirqs are off
 * while one comes each STORM_NS.
 */
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/percpu.h>

#include "spend.h"
#include "window.h"

#define STORM_NS	(25 * NSEC_PER_USEC)

static int inject_storm_irq;

static DEFINE_PER_CPU(struct inject_window *, long_interrupt);	/* NULL: the handler takes no time */

static noinline __noclone irqreturn_t inject_interrupt(int irq, void *unused)
{
	struct inject_window *w = __this_cpu_read(long_interrupt);

	if (w)
		inject_spend(w);
	return IRQ_HANDLED;
}

static enum hrtimer_restart inject_raise_one(struct hrtimer *hrtimer)
{
	struct inject_window *w = container_of(hrtimer, struct inject_window, hrtimer);

	__this_cpu_write(long_interrupt, w);
	generic_handle_irq(inject_storm_irq);
	__this_cpu_write(long_interrupt, NULL);
	complete(&w->done);
	return HRTIMER_NORESTART;
}

void inject_storm_run_once(struct inject_window *w)
{
	inject_start_timer(w, inject_raise_one, 0);
	wait_for_completion(&w->done);
	hrtimer_cancel(&w->hrtimer);
}

static enum hrtimer_restart inject_storm_raise(struct hrtimer *hrtimer)
{
	generic_handle_irq(inject_storm_irq);
	hrtimer_forward_now(hrtimer, ns_to_ktime(STORM_NS));
	return HRTIMER_RESTART;
}

noinline __noclone void inject_storm(struct inject_window *w)
{
	inject_softirqs_off();
	inject_start_timer(w, inject_storm_raise, STORM_NS);
	inject_spend(w);
	hrtimer_cancel(&w->hrtimer);
	inject_softirqs_on();
	inject_linger();
}

int inject_storm_init(void)
{
	/* Without an owner: request_irq() would hold a reference to it, and rmmod would fail. */
	int irq = __irq_alloc_descs(-1, 0, 1, NUMA_NO_NODE, NULL, NULL), ret;

	if (irq < 0)
		return irq;
	irq_set_chip_and_handler(irq, &dummy_irq_chip, handle_simple_irq);
	/* On arm64, a new interrupt cannot be requested otherwise. */
	irq_clear_status_flags(irq, IRQ_NOREQUEST);
	ret = request_irq(irq, inject_interrupt, IRQF_NO_THREAD, "irqoff_inject", NULL);
	if (ret)
		irq_free_desc(irq);
	inject_storm_irq = irq;
	return ret;
}

void inject_storm_exit(void)
{
	free_irq(inject_storm_irq, NULL);
	irq_free_desc(inject_storm_irq);
}
