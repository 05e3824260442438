// SPDX-License-Identifier: GPL-2.0
/*
 * Finds out by the names of a stack's frames which handler was running: the function that
 * was called by one that runs the handlers of a softirq vector, or of an interrupt.
 *
 *	estimation_timer	the handler
 *	call_timer_fn		runs timers
 *	run_timer_softirq	TIMER
 *	handle_softirqs		the softirq core: so it was a softirq
 *
 * A function may jump to the last one that it calls, and is not on the stack then; so
 * all that are below a vector's own function are known here, and one frame of a vector is enough.
 * Only when the core or the entry of an interrupt is found is it a handler: the network's are
 * called by system calls too.
 *
 * Context: process.
 */
#include <linux/bits.h>
#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "frames.h"
#include "handlers.h"
#include "recorder.h"
#include "sample.h"

/**
 * struct runner - a function that calls handlers
 * @name: without what the compiler puts behind it
 * @vectors: of softirqs it runs those of one of these; 0: it says nothing of vectors
 */
struct runner {
	const char *name;
	u32 vectors;
};

static const struct runner runners[] = {
	{ "tasklet_hi_action",		BIT(HI_SOFTIRQ) },
	{ "tasklet_action",		BIT(TASKLET_SOFTIRQ) },
	{ "tasklet_action_common",	BIT(HI_SOFTIRQ) | BIT(TASKLET_SOFTIRQ) },
	{ "run_timer_softirq",		BIT(TIMER_SOFTIRQ) },
	{ "run_timer_base",		BIT(TIMER_SOFTIRQ) },
	{ "__run_timer_base",		BIT(TIMER_SOFTIRQ) },
	{ "__run_timers",		BIT(TIMER_SOFTIRQ) },
	{ "expire_timers",		BIT(TIMER_SOFTIRQ) },
	{ "call_timer_fn",		BIT(TIMER_SOFTIRQ) },
	{ "net_tx_action",		BIT(NET_TX_SOFTIRQ) },
	{ "net_rx_action",		BIT(NET_RX_SOFTIRQ) },
	{ "napi_poll",			BIT(NET_RX_SOFTIRQ) },
	{ "__napi_poll",		BIT(NET_RX_SOFTIRQ) },
	{ "blk_done_softirq",		BIT(BLOCK_SOFTIRQ) },
	{ "blk_complete_reqs",		BIT(BLOCK_SOFTIRQ) },
	{ "irq_poll_softirq",		BIT(IRQ_POLL_SOFTIRQ) },
	{ "run_rebalance_domains",	BIT(SCHED_SOFTIRQ) },
	{ "sched_balance_softirq",	BIT(SCHED_SOFTIRQ) },
	{ "hrtimer_run_softirq",	BIT(HRTIMER_SOFTIRQ) },
	{ "rcu_core_si",		BIT(RCU_SOFTIRQ) },
	{ "rcu_core",			BIT(RCU_SOFTIRQ) },
	{ "rcu_do_batch",		BIT(RCU_SOFTIRQ) },
	{ "rcu_process_callbacks",	BIT(RCU_SOFTIRQ) },
	/* Of softirqs and interrupts alike, or of interrupts alone. */
	{ "__hrtimer_run_queues",	0 },
	{ "hrtimer_interrupt",		0 },
	{ "handle_irq_event_percpu",	0 },
	{ "__handle_irq_event_percpu",	0 },
	{ "handle_percpu_devid_irq",	0 },
	{ "handle_percpu_irq",		0 },
	{ "flush_smp_call_function_queue",	0 },
	{ "__flush_smp_call_function_queue",	0 },
	{ "irq_work_single",		0 },
	{ "irq_work_run_list",		0 },
};

/* Out of an interrupt's handler one comes to one of these first. */
static const char * const irq_entries[] = {
	"hrtimer_interrupt", "handle_irq_event", "asm_sysvec_", "sysvec_",
	"__sysvec_", "common_interrupt", "asm_common_interrupt", "asm_call_",
	"ret_from_intr", "generic_handle_", "handle_domain_irq", "__handle_domain_irq",
	"gic_handle_irq", "el1_interrupt", "el0_interrupt", "el1_irq", "el0_irq",
	"el1h_64_irq", "el0t_64_irq",
};

static bool is_named(const char *name, const char *plain)
{
	size_t len = strlen(plain);

	return strstarts(name, plain) &&
	       (name[len] == '\0' || name[len] == '.' || name[len] == ' ');
}

static const struct runner *find_runner(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(runners); i++)
		if (is_named(name, runners[i].name))
			return &runners[i];
	return NULL;
}

static bool is_irq_entry(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(irq_entries); i++)
		if (strstarts(name, irq_entries[i]))
			return true;
	return false;
}

/* "function [module]" in one word. */
static void keep_name(struct handler *handler, const char *name)
{
	const char *module = strchrnul(name, ' ');

	snprintf(handler->name, sizeof(handler->name), "%.*s%s",
		 (int)(module - name), name, *module ? module + 1 : "");
}

bool handlers_find(const struct sample *sample, struct handler *handler)
{
	char name[KSYM_SYMBOL_LEN];
	bool found = false;
	unsigned int i;

	handler->vectors = ~0U;
	handler->name[0] = '\0';
	for (i = 0; i < sample->nr_entries; i++) {
		const struct runner *runner;

		if (!frames_name(sample, i, name))
			continue;
		if (frames_is_softirq_core(name)) {
			if (handler->vectors == ~0U)
				handler->vectors = 0;
			return true;
		}
		runner = find_runner(name);
		if (runner) {
			found = true;
			if (runner->vectors)
				handler->vectors &= runner->vectors;
		}
		if (is_irq_entry(name)) {
			/* On top of whatever else. */
			handler->vectors = 0;
			return found;
		}
		if (!found)
			keep_name(handler, name);
	}
	return false;
}

static bool all_agree(const struct record *record, struct handler *handler)
{
	struct handler other;
	unsigned int i;

	for (i = 1; i < record->nr_samples; i++)
		if (!handlers_find(&record->samples[i], &other) ||
		    other.vectors != handler->vectors ||
		    strcmp(other.name, handler->name))
			return false;
	return true;
}

bool handlers_of(const struct record *record, struct handler *handler)
{
	const struct sample *first = &record->samples[0];

	/* Handlers do not keep a task from leaving the CPU. */
	if (!record->nr_samples || record->kind == WINDOW_NOSCHED)
		return false;
	if (record->kind == WINDOW_SOFTIRQ)
		return first->state == STATE_SERVING &&
		       handlers_find(first, handler);
	return handlers_find(first, handler) && all_agree(record, handler);
}
