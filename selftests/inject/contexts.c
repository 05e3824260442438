// SPDX-License-Identifier: GPL-2.0
/*
 * The kinds "CONTEXT_LOOP", such as "hardirq_regs": each loop of loops.c in each context.
 *
 * Context: contexts_softirq() runs in softirq (PREEMPT_RT: in a thread), all else in process
 * context, on the CPU of @w.
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "loops.h"
#include "spend.h"
#include "window.h"

static noinline __noclone void wait_inner(struct inject_window *w)
{
	w->kind->loop->run(w);
	barrier();	/* no tail call */
}

/* Does nothing if the kernel has moved the writer or its timer: see inject_spend_by(). */
static noinline __noclone void wait_outer(struct inject_window *w)
{
	u64 start_ns = ktime_get_mono_fast_ns();

	if (raw_smp_processor_id() != w->cpu)
		return;
	w->start_ns = start_ns;
	w->end_ns = start_ns + w->amount * NSEC_PER_USEC;
	wait_inner(w);
	w->end_ns = ktime_get_mono_fast_ns();
}

static noinline __noclone void contexts_hardirq(struct inject_window *w)
{
	local_irq_disable();
	wait_outer(w);
	local_irq_enable();
	inject_linger();
}

static noinline __noclone void contexts_bh(struct inject_window *w)
{
	inject_softirqs_off();
	wait_outer(w);
	inject_softirqs_on();
	inject_linger();
}

static noinline __noclone void contexts_preempt(struct inject_window *w)
{
	preempt_disable();
	inject_ask_to_leave();
	wait_outer(w);
	preempt_enable();
	inject_linger();
}

static noinline __noclone void contexts_softirq(struct timer_list *timer)
{
	struct inject_window *w = container_of(timer, struct inject_window, timer);

	wait_outer(w);
	complete(&w->done);
}

static const struct {
	const char *name;
	void (*run)(struct inject_window *w);
	void (*softirq)(struct timer_list *timer);
} contexts[] = {
	{ "hardirq",	contexts_hardirq },
	{ "bh",		contexts_bh },
	{ "preempt",	contexts_preempt },
	{ "softirq",	inject_timers_run_softirq, contexts_softirq },
};

#define NR_KINDS	(ARRAY_SIZE(contexts) * INJECT_NR_LOOPS)

static struct inject_kind kinds[NR_KINDS];
static char names[NR_KINDS][32];

const struct inject_kind *inject_contexts_find_kind(const char *name)
{
	size_t i;

	for (i = 0; i < NR_KINDS; i++)
		if (!strcmp(names[i], name))
			return &kinds[i];
	return NULL;
}

void inject_contexts_init(void)
{
	size_t i;

	inject_loops_init();
	for (i = 0; i < NR_KINDS; i++) {
		const struct inject_loop *loop = &inject_loops[i % INJECT_NR_LOOPS];
		size_t context = i / INJECT_NR_LOOPS;

		snprintf(names[i], sizeof(names[i]), "%s_%s", contexts[context].name, loop->name);
		kinds[i].name = names[i];
		kinds[i].max_amount = MAX_US;
		kinds[i].run = contexts[context].run;
		kinds[i].softirq = contexts[context].softirq;
		kinds[i].loop = loop;
	}
}
