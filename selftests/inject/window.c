// SPDX-License-Identifier: GPL-2.0
/*
 * The table of all kinds; and the windows that a task makes with interrupts or softirqs disabled.
 * Tests search stacks for the functions that spend the time, here and in the other files: hence
 * noinline, __noclone, and -fno-ipa-icf in Kbuild.
 *
 * Context: process, on the CPU of @w.
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "spend.h"
#include "window.h"

#define MAX_ITERATIONS	100000000000ULL
#define MAX_NMIS	1000
#define IDLE_MS		300	/* by then the CPU is idle and its tick is stopped */

static noinline __noclone void inject_hardirq(struct inject_window *w)
{
	local_irq_disable();
	inject_spend(w);
	local_irq_enable();
	inject_linger();
}

static noinline __noclone void inject_spinlock_inner(struct inject_window *w)
{
	inject_spend(w);
}

/* A raw lock, since a spinlock_t leaves interrupts on under PREEMPT_RT. */
static noinline __noclone void inject_spinlock(struct inject_window *w)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&w->lock, flags);
	inject_spinlock_inner(w);
	raw_spin_unlock_irqrestore(&w->lock, flags);
	inject_linger();
}

/* A lock that all CPUs share: a CPU that waits for it has interrupts off meanwhile. */
static __always_inline void inject_hold(struct inject_window *w, raw_spinlock_t *lock)
{
	unsigned long flags;

	raw_spin_lock_irqsave(lock, flags);
	inject_spend(w);
	raw_spin_unlock_irqrestore(lock, flags);
	inject_linger();
}

/* One lock has a symbol of its own, one has none. */
static raw_spinlock_t inject_static_lock __read_mostly =
	__RAW_SPIN_LOCK_UNLOCKED(inject_static_lock);
static DEFINE_PER_CPU(raw_spinlock_t, percpu_lock) = __RAW_SPIN_LOCK_UNLOCKED(percpu_lock);

static noinline __noclone void inject_lock_static(struct inject_window *w)
{
	inject_hold(w, &inject_static_lock);
}

static noinline __noclone void inject_lock_percpu(struct inject_window *w)
{
	inject_hold(w, per_cpu_ptr(&percpu_lock, 0));
}

/* On PREEMPT_RT, a CPU that waits for this lock leaves interrupts on, and sleeps. */
static DEFINE_RWLOCK(inject_rw_lock);

static noinline __noclone void inject_lock_write(struct inject_window *w)
{
	unsigned long flags;

	write_lock_irqsave(&inject_rw_lock, flags);
	inject_spend(w);
	write_unlock_irqrestore(&inject_rw_lock, flags);
	inject_linger();
}

static noinline __noclone void inject_split_spend(struct inject_window *w)
{
	inject_spend(w);
}

static noinline __noclone void inject_split_enable(void)
{
	local_irq_enable();
	inject_linger();
}

/*
 * Different functions inside the window and at its end: a stack shows whether it was taken inside
 * the window, or where interrupts came back on.
 */
static noinline __noclone void inject_split(struct inject_window *w)
{
	local_irq_disable();
	inject_split_spend(w);
	inject_split_enable();
}

static noinline __noclone void inject_called(void)
{
	barrier();
}

static __always_inline void inject_calls(int iterations)
{
	void (*call)(void) = inject_called;

	while (iterations--) {
		OPTIMIZER_HIDE_VAR(call);
		call();
	}
}

/* Indirect calls: where the kernel uses retpolines, one sample in three interrupts a retpoline. */
static noinline __noclone void inject_indirect(struct inject_window *w)
{
	local_irq_disable();
	inject_spend_by(w, inject_calls);
	local_irq_enable();
	inject_linger();
}

static noinline __noclone void inject_bh(struct inject_window *w)
{
	inject_softirqs_off();
	inject_spend(w);
	inject_softirqs_on();
	inject_linger();
}

/*
 * Softirqs are disabled for three times the requested time, and interrupts are off for the middle
 * third. That third belongs to the hardirq window. The file shows the times of that third.
 */
static noinline __noclone void inject_nested(struct inject_window *w)
{
	inject_softirqs_off();
	inject_spend(w);
	inject_hardirq(w);
	if (w->end_ns) {
		u64 start_ns = w->start_ns, end_ns = w->end_ns;

		inject_spend(w);
		w->start_ns = start_ns;
		w->end_ns = end_ns;
	}
	inject_softirqs_on();
	inject_linger();
}

static void inject_tasklet(struct tasklet_struct *unused)
{
}

/*
 * Softirqs are disabled for twice the requested time. Two vectors are pending: HI, and TASKLET in
 * the second half.
 */
static noinline __noclone void inject_pending(struct inject_window *w)
{
	tasklet_setup(&w->tasklet, inject_tasklet);
	tasklet_setup(&w->second_tasklet, inject_tasklet);
	inject_softirqs_off();
	tasklet_hi_schedule(&w->tasklet);
	inject_spend(w);
	tasklet_schedule(&w->second_tasklet);
	inject_spend(w);
	inject_softirqs_on();
	tasklet_kill(&w->tasklet);
	tasklet_kill(&w->second_tasklet);
}

/*
 * A softirq that a task raises wakes ksoftirqd, and ksoftirqd does not get the CPU while preemption
 * is off. The next interrupt runs the tasklet on its way out, but ksoftirqd stays runnable. Up to
 * 6.4, interrupts leave their softirqs to a runnable ksoftirqd: softirqs starve. Since 6.5,
 * interrupts run softirqs anyway, except on PREEMPT_RT.
 */
static noinline __noclone void inject_ksoftirqd(struct inject_window *w)
{
	tasklet_setup(&w->tasklet, inject_tasklet);
	preempt_disable();
	tasklet_schedule(&w->tasklet);
	inject_spend(w);
	preempt_enable();
	tasklet_kill(&w->tasklet);
}

/* Interrupts and softirqs go on, but no other task runs. */
static noinline __noclone void inject_preempt(struct inject_window *w)
{
	preempt_disable();
	inject_ask_to_leave();
	inject_spend(w);
	preempt_enable();
	inject_linger();
}

/* Only a kernel that preempts kernel code lets another task run meanwhile. */
static noinline __noclone void inject_no_resched(struct inject_window *w)
{
	inject_ask_to_leave();
	inject_spend(w);
	inject_linger();
}

static const struct inject_kind inject_kinds[] = {
	{ "hardirq",		MAX_US,		inject_hardirq },
	{ "spinlock",		MAX_US,		inject_spinlock },
	{ "lock_static",	MAX_US,		inject_lock_static },
	{ "lock_write",		MAX_US,		inject_lock_write },
	{ "lock_percpu",	MAX_US,		inject_lock_percpu },
	{ "split",		MAX_US,		inject_split },
	{ "indirect",		MAX_US,		inject_indirect },
	{ "handler",		MAX_US,		inject_timers_run_handler },
	{ "backlog",		MAX_US,		inject_timers_run_backlog },
	{ "bh",			MAX_US,		inject_bh },
	{ "off_softirq",	MAX_US,		inject_timers_run_softirq, 0,
						inject_off_softirq },
	{ "oops_softirq",	MAX_US,		inject_timers_run_softirq, 0,
						inject_oops_softirq },
	{ "toggle_softirq",	MAX_US,		inject_timers_run_softirq, 0,
						inject_toggle_softirq },
	{ "nested",		MAX_US / 3,	inject_nested },
	{ "pending",		MAX_US / 2,	inject_pending },
	{ "softirq",		MAX_US,		inject_timers_run_softirq, 0,
						inject_softirq },
	{ "idle_handler",	MAX_US,		inject_timers_run_handler, IDLE_MS },
	{ "idle_softirq",	MAX_US,		inject_timers_run_softirq, IDLE_MS,
						inject_softirq },
	{ "idle_rcu",		MAX_US,		inject_timers_run_softirq, IDLE_MS,
						inject_rcu_softirq },
	{ "idle_irqs",		MAX_US,		inject_timers_run_softirq, IDLE_MS,
						inject_irqs_softirq },
	{ "idle_ipi",		MAX_US,		inject_idle_run_ipi, IDLE_MS },
	{ "idle_tasklet",	MAX_US,		inject_idle_run_tasklet, IDLE_MS },
	{ "ksoftirqd",		MAX_US,		inject_ksoftirqd },
	{ "preempt",		MAX_US,		inject_preempt },
	{ "no_resched",		MAX_US,		inject_no_resched },
	{ "steal",		MAX_US,		inject_steal },
	{ "storm",		MAX_US,		inject_storm },
	{ "interrupt",		MAX_US,		inject_storm_run_once },
#ifdef CONFIG_NET
	{ "poll",		MAX_US,		inject_poll_run },
#endif
	{ "wakeup",		MAX_US,		inject_nowindow_run_wakeup },
	{ "loop",		MAX_ITERATIONS,	inject_nowindow_run_loop },
#ifdef CONFIG_X86_64
	{ "nmi",		MAX_NMIS,	inject_nowindow_run_nmis },
	{ "pause",		MAX_US,		inject_pause },
	{ "late_timer",		MAX_US,		inject_late_timer },
	{ "garbage_bh",		MAX_US,		inject_garbage_bh },
	{ "garbage_hardirq",	MAX_US,		inject_garbage_hardirq },
#endif
};

const struct inject_kind *inject_window_find_kind(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(inject_kinds); i++)
		if (!strcmp(inject_kinds[i].name, name))
			return &inject_kinds[i];
	return inject_contexts_find_kind(name);
}
