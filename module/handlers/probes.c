// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The tracepoints at the begin and the end of handlers, which have probes only while handlers are
 * counted.
 * Context: process; probes run in interrupts and softirqs, or with interrupts off.
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/netdevice.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <trace/events/irq.h>
#include <trace/events/napi.h>
#include <trace/events/timer.h>
#ifdef CONFIG_X86_64
#include <asm/trace/irq_vectors.h>
#else
#include <trace/events/ipi.h>
#endif

#include "compat.h"
#include "handlers/handlers.h"
#include "text.h"

/*
 * PROBE_AT(TRACEPOINT, CALL, ARGUMENTS of the tracepoint): a probe that does CALL with interrupts
 * off. In CALL, c is the state of this CPU.
 */
#define PROBE_AT(tracepoint, call, ...) \
	static void on_##tracepoint(void *data, __VA_ARGS__) \
	{ \
		struct handlers_cpu *c; \
		unsigned long flags; \
		local_irq_save(flags); \
		c = handlers_counting_cpu(); \
		if (c) \
			call; \
		local_irq_restore(flags); \
	} \
	/* Compiles only if the tracepoint has these arguments. */ \
	static inline void check_##tracepoint(void) \
	{ check_trace_callback_type_##tracepoint(on_##tracepoint); }

PROBE_AT(irq_handler_entry, handlers_begin(c, HANDLER_IRQ, action, action->handler, irq),
	 int irq, struct irqaction *action)
PROBE_AT(irq_handler_exit, handlers_end(c, HANDLER_IRQ, action, action->name),
	 int irq, struct irqaction *action, int ret)
#ifdef CONFIG_X86_64
/* Also for the other vectors. */
PROBE_AT(local_timer_entry, handlers_begin(c, HANDLER_VECTOR, NULL, data, 0), int vector)
PROBE_AT(local_timer_exit, handlers_end(c, HANDLER_VECTOR, NULL, NULL), int vector)
#else
/* @reason: a constant string of the kernel */
PROBE_AT(ipi_entry, handlers_begin(c, HANDLER_VECTOR, NULL, reason, 0), const char *reason)
PROBE_AT(ipi_exit, handlers_end(c, HANDLER_VECTOR, NULL, NULL), const char *reason)
#endif
PROBE_AT(softirq_raise, handlers_raise(c, nr), unsigned int nr)
/*
 * On PREEMPT_RT since 6.18, without PREEMPT_RT_NEEDS_BH_LOCK, several tasks of a CPU may be in
 * softirqs.
 */
PROBE_AT(softirq_entry, handlers_begin(c, HANDLER_SOFTIRQ, current, text_softirqs[nr], nr),
	 unsigned int nr)
PROBE_AT(softirq_exit, handlers_end(c, HANDLER_SOFTIRQ, current, NULL), unsigned int nr)
PROBE_AT(timer_expire_entry, handlers_begin(c, HANDLER_TIMER, timer, timer->function, 0),
	 struct timer_list *timer, unsigned long now)
/* At its exit, a function may have freed @timer or @tasklet. */
PROBE_AT(timer_expire_exit, handlers_end(c, HANDLER_TIMER, timer, NULL), struct timer_list *timer)
PROBE_AT(hrtimer_expire_entry,
	 handlers_begin(c, HANDLER_HRTIMER, timer, ACCESS_PRIVATE(timer, function), 0),
	 struct hrtimer *timer, COMPAT_EXPIRE_NOW)
PROBE_AT(hrtimer_expire_exit, handlers_end(c, HANDLER_HRTIMER, timer, NULL), struct hrtimer *timer)
PROBE_AT(napi_poll, handlers_polled(c, napi->poll), struct napi_struct *napi, int work, int budget)
#ifdef HAVE_TASKLET_ENTRY
PROBE_AT(tasklet_entry, handlers_begin(c, HANDLER_TASKLET, tasklet, function, 0),
	 struct tasklet_struct *tasklet, void *function)
PROBE_AT(tasklet_exit, handlers_end(c, HANDLER_TASKLET, tasklet, NULL),
	 struct tasklet_struct *tasklet, void *function)
#endif

#define HOOK(tracepoint)	{ #tracepoint, on_##tracepoint }
#define VECTOR_ENTRY(name)	{ #name "_entry", on_local_timer_entry, #name }
#define VECTOR_EXIT(name)	{ #name "_exit", on_local_timer_exit }

static struct hook {
	const char *name;
	void *probe;
	char *data;			/* first argument of the probe */
	struct tracepoint *tracepoint;	/* NULL: not found */
	bool failed;			/* the last attempt to register the probe */
} hooks[] = {
	HOOK(irq_handler_entry), HOOK(irq_handler_exit), HOOK(softirq_raise),
	HOOK(softirq_entry), HOOK(softirq_exit), HOOK(timer_expire_entry),
	HOOK(timer_expire_exit), HOOK(hrtimer_expire_entry), HOOK(hrtimer_expire_exit),
	HOOK(napi_poll),
#ifdef CONFIG_X86_64
	VECTOR_ENTRY(local_timer), VECTOR_EXIT(local_timer), VECTOR_ENTRY(reschedule),
	VECTOR_EXIT(reschedule), VECTOR_ENTRY(call_function), VECTOR_EXIT(call_function),
	VECTOR_ENTRY(call_function_single), VECTOR_EXIT(call_function_single),
	VECTOR_ENTRY(irq_work), VECTOR_EXIT(irq_work), VECTOR_ENTRY(x86_platform_ipi),
	VECTOR_EXIT(x86_platform_ipi), VECTOR_ENTRY(spurious_apic), VECTOR_EXIT(spurious_apic),
	VECTOR_ENTRY(error_apic), VECTOR_EXIT(error_apic), VECTOR_ENTRY(threshold_apic),
	VECTOR_EXIT(threshold_apic), VECTOR_ENTRY(deferred_error_apic),
	VECTOR_EXIT(deferred_error_apic), VECTOR_ENTRY(thermal_apic), VECTOR_EXIT(thermal_apic),
#else
	HOOK(ipi_entry), HOOK(ipi_exit),
#endif
#ifdef HAVE_TASKLET_ENTRY
	HOOK(tasklet_entry), HOOK(tasklet_exit),
#else
	{ "tasklet_entry" }, { "tasklet_exit" },
#endif
};

/* Protects all below, and handlers_cpus. */
DEFINE_MUTEX(handlers_mutex);
static bool wanted;		/* to count; changes only while @busy is false */
static bool busy;		/* the work item has not run yet */
static u64 since_ns, until_ns;	/* when counting began and ended, CLOCK_MONOTONIC; 0: not yet */

/*
 * To register a probe, the kernel patches its code and waits for all CPUs. The work item runs after
 * an RCU grace period, so not while a CPU is stuck.
 */
static struct rcu_work switch_work;

static void handlers_work(struct work_struct *work)
{
	u64 stopped_ns = ktime_get_ns();
	struct tracepoint *tp;
	struct hook *hook;

	WRITE_ONCE(handlers_counting, false);
	for (hook = hooks; hook < hooks + ARRAY_SIZE(hooks); hook++) {
		tp = hook->tracepoint;
		if (tp && wanted)
			WRITE_ONCE(hook->failed,
				   tracepoint_probe_register(tp, hook->probe, hook->data));
		else if (tp && !hook->failed)
			tracepoint_probe_unregister(tp, hook->probe, hook->data);
	}
	/* Wait until no probe runs any more. */
	if (!wanted)
		tracepoint_synchronize_unregister();
	mutex_lock(&handlers_mutex);
	if (wanted)
		since_ns = ktime_get_ns();
	else
		until_ns = stopped_ns;
	/* Orders handlers_cpus before the flag. Pairs with handlers_counting_cpu(). */
	smp_store_release(&handlers_counting, wanted);
	busy = false;
	mutex_unlock(&handlers_mutex);
}

int handlers_switch(bool on)
{
	int ret = 0;

	mutex_lock(&handlers_mutex);
	if (busy) {
		ret = -EBUSY;
	} else if (!wanted) {
		free_percpu(handlers_cpus);
		handlers_cpus = !on ? NULL : alloc_percpu(struct handlers_cpu);
		if (on && !handlers_cpus)
			ret = -ENOMEM;
		atomic_set(&handlers_lost, 0);
		since_ns = 0;
		until_ns = 0;
	}
	if (!ret && on != wanted) {
		wanted = on;
		busy = true;
		queue_rcu_work(compat_unbound_wq, &switch_work);
	}
	mutex_unlock(&handlers_mutex);
	return ret;
}

void handlers_show_missing(struct seq_file *m)
{
	const char *comma = "";
	struct hook *hook;

	for (hook = hooks; hook < hooks + ARRAY_SIZE(hooks); hook++)
		if (!hook->tracepoint || READ_ONCE(hook->failed)) {
			seq_printf(m, "%s%s", comma, hook->name);
			comma = ",";
		}
	if (!*comma)
		seq_putc(m, '-');
}

void handlers_show_state(struct seq_file *m)
{
	static const char * const states[2][2] = { { "off", "on" }, { "stopping", "starting" } };
	u64 end_ns = until_ns ?: ktime_get_ns();

	seq_printf(m, "state=%s on_ns=%llu lost=%u without=", states[busy][wanted],
		   since_ns ? end_ns - since_ns : 0, atomic_read(&handlers_lost));
	handlers_show_missing(m);
	seq_putc(m, '\n');
}

static void find_hook(struct tracepoint *tracepoint, void *unused)
{
	struct hook *hook;

	for (hook = hooks; hook < hooks + ARRAY_SIZE(hooks); hook++)
		if (hook->probe && !strcmp(tracepoint->name, hook->name))
			hook->tracepoint = tracepoint;
}

void handlers_init(void)
{
	for_each_kernel_tracepoint(find_hook, NULL);
	INIT_RCU_WORK(&switch_work, handlers_work);
}

void handlers_exit(void)
{
	flush_rcu_work(&switch_work);
	handlers_switch(false);
	flush_rcu_work(&switch_work);
	free_percpu(handlers_cpus);
}
