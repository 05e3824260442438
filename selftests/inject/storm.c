// SPDX-License-Identifier: GPL-2.0
/*
 * Interrupts that /proc/interrupts shows as irqoff_inject. No device is needed: an hrtimer calls
 * the handler. Either one comes, and the handler takes long; or many come, and the last one takes
 * long; or it is a storm: softirqs are off while one comes each STORM_NS.
 */
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/percpu.h>

#include "spend.h"
#include "window.h"

#define STORM_NS	(25 * NSEC_PER_USEC)
#define MANY		80

static int inject_storm_irq;
static int inject_many_irqs;	/* the first of MANY, while they are used */

static DEFINE_PER_CPU(struct inject_window *, long_interrupt);	/* NULL: the handler takes no time */

static noinline __noclone irqreturn_t inject_interrupt(int irq, void *unused)
{
	struct inject_window *w = __this_cpu_read(long_interrupt);

	if (w)
		inject_spend(w);
	return IRQ_HANDLED;
}

/* Raise @nr interrupts from @irq on. The last one takes long. */
static void raise_from(struct hrtimer *hrtimer, int irq, int nr)
{
	struct inject_window *w = container_of(hrtimer, struct inject_window, hrtimer);

	while (--nr)
		generic_handle_irq(irq++);
	__this_cpu_write(long_interrupt, w);
	generic_handle_irq(irq);
	__this_cpu_write(long_interrupt, NULL);
	complete(&w->done);
}

static enum hrtimer_restart inject_raise_one(struct hrtimer *hrtimer)
{
	raise_from(hrtimer, inject_storm_irq, 1);
	return HRTIMER_NORESTART;
}

static enum hrtimer_restart inject_raise_many(struct hrtimer *hrtimer)
{
	raise_from(hrtimer, inject_many_irqs, MANY);
	return HRTIMER_NORESTART;
}

static void run_timer(struct inject_window *w, enum hrtimer_restart (*raise)(struct hrtimer *))
{
	inject_start_timer(w, raise, 0);
	wait_for_completion(&w->done);
	hrtimer_cancel(&w->hrtimer);
}

void inject_storm_run_once(struct inject_window *w)
{
	run_timer(w, inject_raise_one);
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

static void free_interrupts(int irq, int nr)
{
	for (; nr; nr--, irq++) {
		free_irq(irq, NULL);
		irq_free_desc(irq);
	}
}

/* Return: the first of @nr interrupts, or an error. */
static int alloc_interrupts(int nr)
{
	/* Without an owner: request_irq() would hold a reference to it, and rmmod would fail. */
	int first = __irq_alloc_descs(-1, 0, nr, NUMA_NO_NODE, NULL, NULL), irq, ret;

	for (irq = first; first >= 0 && irq < first + nr; irq++) {
		irq_set_chip_and_handler(irq, &dummy_irq_chip, handle_simple_irq);
		/* On arm64, a new interrupt cannot be requested otherwise. */
		irq_clear_status_flags(irq, IRQ_NOREQUEST);
		ret = request_irq(irq, inject_interrupt, IRQF_NO_THREAD, "irqoff_inject", NULL);
		if (ret) {
			irq_free_descs(irq, first + nr - irq);
			free_interrupts(first, irq - first);
			return ret;
		}
	}
	return first;
}

/* One caller at a time: the interrupts are in a variable of the file. */
void inject_storm_run_many(struct inject_window *w)
{
	inject_many_irqs = alloc_interrupts(MANY);
	if (inject_many_irqs < 0)
		return;
	run_timer(w, inject_raise_many);
	free_interrupts(inject_many_irqs, MANY);
}

int inject_storm_init(void)
{
	inject_storm_irq = alloc_interrupts(1);
	return min(inject_storm_irq, 0);
}

void inject_storm_exit(void)
{
	free_interrupts(inject_storm_irq, 1);
}
