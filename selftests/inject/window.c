// SPDX-License-Identifier: GPL-2.0
/*
 * Ways to keep a CPU from its interrupts or softirqs
 *
 * Each kind of window has a function of its own, inject_KIND(), that is on the
 * stack under this name while the time passes, for a test to look for it in a
 * trace. Hence noinline and __noclone below, and -fno-ipa-icf in Kbuild.
 *
 * Context: inject_handler() runs in hardirq context; inject_softirq() in
 * softirq context (on PREEMPT_RT in the thread that stands in for it); all else
 * in process context, in the task that wrote to the file, on the CPU that it
 * has moved to.
 */

#include <linux/completion.h>
#include <linux/errno.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/suspend.h>
#include <linux/timekeeping.h>
#include <linux/timer.h>

#include "../../module/compat.h"
#include "idle.h"
#include "load.h"
#include "nmi.h"
#include "spend.h"
#include "steal.h"
#include "window.h"

/* 6.2: timer_delete_sync() is the new name. */
#ifndef HAVE_TIMER_DELETE_SYNC
#define timer_delete_sync del_timer_sync
#endif

#define INJECT_MAX_US		(30 * USEC_PER_SEC)
#define INJECT_MAX_ITERATIONS	100000000000ULL

#define BACKLOG_NS		(10 * NSEC_PER_MSEC)	/* longer than a scheduler tick */

/* After so long without work a CPU is in the idle loop. */
#define INJECT_IDLE_MS		300

static noinline __noclone int inject_hardirq(struct inject_window *w)
{
	local_irq_disable();
	inject_spend(w);
	local_irq_enable();
	inject_linger();
	return inject_outcome(w);
}

static noinline __noclone void inject_spinlock_inner(struct inject_window *w)
{
	lockdep_assert_irqs_disabled();
	inject_spend(w);
}

/* A raw lock, since a spinlock_t leaves interrupts on under PREEMPT_RT. */
static noinline __noclone int inject_spinlock(struct inject_window *w)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&w->lock, flags);
	inject_spinlock_inner(w);
	raw_spin_unlock_irqrestore(&w->lock, flags);
	inject_linger();
	return inject_outcome(w);
}

static noinline __noclone void inject_contend_inner(struct inject_window *w)
{
	lockdep_assert_irqs_disabled();
	inject_spend(w);
}

/* All CPUs after one lock: who waits has interrupts off for as long as those before it. */
static DEFINE_RAW_SPINLOCK(inject_contended);

static noinline __noclone int inject_contend(struct inject_window *w)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&inject_contended, flags);
	inject_contend_inner(w);
	raw_spin_unlock_irqrestore(&inject_contended, flags);
	inject_linger();
	return inject_outcome(w);
}

static noinline __noclone void inject_split_spend(struct inject_window *w)
{
	lockdep_assert_irqs_disabled();
	inject_spend(w);
}

static noinline __noclone void inject_split_enable(void)
{
	lockdep_assert_irqs_disabled();
	local_irq_enable();
	inject_linger();
}

/*
 * The time passes in one function and interrupts come back on in another, so
 * that a stack tells whether it was taken in the window or at its end.
 */
static noinline __noclone int inject_split(struct inject_window *w)
{
	local_irq_disable();
	inject_split_spend(w);
	inject_split_enable();
	return inject_outcome(w);
}

static noinline __noclone void inject_called(void)
{
	barrier();
}

static __always_inline void inject_calls(int turns)
{
	void (*call)(void) = inject_called;

	while (turns--) {
		OPTIMIZER_HIDE_VAR(call);
		call();
	}
}

/*
 * The time passes in calls of a function that the compiler does not know: where such calls
 * go by a retpoline, one look in three lands there.
 */
static noinline __noclone int inject_indirect(struct inject_window *w)
{
	local_irq_disable();
	inject_spend_by(w, inject_calls);
	local_irq_enable();
	inject_linger();
	return inject_outcome(w);
}

static noinline __noclone int inject_bh(struct inject_window *w)
{
	local_bh_disable();
	inject_spend(w);
	local_bh_enable();
	inject_linger();
	return inject_outcome(w);
}

static noinline __noclone void inject_nested_hardirq(struct inject_window *w)
{
	local_irq_disable();
	inject_spend(w);
	local_irq_enable();
	inject_linger();
}

/*
 * Interrupts are off inside of bottom halves off: three times as long as asked for softirqs
 * wait, but in the middle third they are not to blame. The times are those of that third.
 */
static noinline __noclone int inject_nested(struct inject_window *w)
{
	local_bh_disable();
	inject_spend(w);
	inject_nested_hardirq(w);
	if (w->end_ns) {
		u64 start_ns = w->start_ns, end_ns = w->end_ns;

		inject_spend(w);
		w->start_ns = start_ns;
		w->end_ns = end_ns;
	}
	local_bh_enable();
	inject_linger();
	return inject_outcome(w);
}

static void inject_tasklet(struct tasklet_struct *unused)
{
}

/* As the "bh" kind, and two vectors wait: HI and TASKLET. */
static noinline __noclone int inject_pending(struct inject_window *w)
{
	local_bh_disable();
	tasklet_hi_schedule(&w->tasklet);
	tasklet_schedule(&w->second_tasklet);
	inject_spend(w);
	local_bh_enable();
	tasklet_kill(&w->tasklet);
	tasklet_kill(&w->second_tasklet);
	return inject_outcome(w);
}

/*
 * A softirq that is raised outside of interrupt context wakes ksoftirqd, and
 * ksoftirqd does not get the CPU while preemption is off. The next interrupt
 * runs the tasklet on its way out, but ksoftirqd stays runnable, and up to 6.4
 * that alone makes later interrupts leave their softirqs to it: they starve.
 * Newer kernels run them all the same, unless they are PREEMPT_RT.
 */
static noinline __noclone int inject_ksoftirqd(struct inject_window *w)
{
	preempt_disable();
	tasklet_schedule(&w->tasklet);
	inject_spend(w);
	preempt_enable();
	tasklet_kill(&w->tasklet);
	return inject_outcome(w);
}

static noinline __noclone enum hrtimer_restart
inject_handler(struct hrtimer *hrtimer)
{
	struct inject_window *w = container_of(hrtimer, struct inject_window,
					       hrtimer);

	lockdep_assert_irqs_disabled();
	inject_spend(w);
	complete(&w->done);
	return HRTIMER_NORESTART;
}

/*
 * A pinned timer is queued on the CPU that starts it and goes elsewhere only
 * when that one goes offline, which inject_spend() finds out. The writer may be
 * killed while it waits, but it does not leave before the timer has.
 */
static int run_handler_in(struct inject_window *w, unsigned int ms)
{
	unsigned long give_up = jiffies + HZ;
	int ret;

	reinit_completion(&w->done);
	hrtimer_start(&w->hrtimer, ms_to_ktime(ms),
		      HRTIMER_MODE_REL_PINNED_HARD);
	/* It is to interrupt a task: at times, the CPU is idle before it comes. */
	while (!ms && !completion_done(&w->done) && time_before(jiffies, give_up))
		cpu_relax();
	ret = wait_for_completion_killable(&w->done);
	hrtimer_cancel(&w->hrtimer);
	return ret ? ret : inject_outcome(w);
}

static int run_handler(struct inject_window *w)
{
	return run_handler_in(w, 0);
}

/* The interrupt wakes a CPU that has been idle for a while. */
static int run_idle_handler(struct inject_window *w)
{
	return run_handler_in(w, INJECT_IDLE_MS);
}

/*
 * Interrupts are off for BACKLOG_NS, and the interrupt that follows has two timers to run: the
 * handler comes before the scheduler's tick.
 */
static int run_backlog(struct inject_window *w)
{
	u64 start_ns;
	int ret;

	if (w->amount <= BACKLOG_NS / NSEC_PER_USEC)
		return -EINVAL;
	w->amount -= BACKLOG_NS / NSEC_PER_USEC;
	reinit_completion(&w->done);
	local_irq_disable();
	start_ns = ktime_get_mono_fast_ns();
	hrtimer_start(&w->hrtimer, 0, HRTIMER_MODE_REL_PINNED_HARD);
	while (ktime_get_mono_fast_ns() - start_ns < BACKLOG_NS)
		inject_nothing(INJECT_TURNS);
	local_irq_enable();
	ret = wait_for_completion_killable(&w->done);
	hrtimer_cancel(&w->hrtimer);
	w->start_ns = start_ns;
	return ret ? ret : inject_outcome(w);
}

static noinline __noclone void inject_softirq(struct timer_list *timer)
{
	struct inject_window *w = container_of(timer, struct inject_window,
					       timer);

	inject_spend(w);
	complete(&w->done);
}

/* Goes like run_handler_in(). The window begins with a jiffy. */
static int run_softirq_in(struct inject_window *w, unsigned int ms)
{
	int ret;

	reinit_completion(&w->done);
	mod_timer(&w->timer, jiffies + msecs_to_jiffies(ms));
	ret = wait_for_completion_killable(&w->done);
	timer_delete_sync(&w->timer);
	return ret ? ret : inject_outcome(w);
}

static int run_softirq(struct inject_window *w)
{
	return run_softirq_in(w, 0);
}

static int run_idle_softirq(struct inject_window *w)
{
	return run_softirq_in(w, INJECT_IDLE_MS);
}

static enum hrtimer_restart inject_wakeup_timer(struct hrtimer *hrtimer)
{
	pm_system_wakeup();
	return HRTIMER_NORESTART;
}

/*
 * No window either: ends a suspend to idle that begins before the time has passed, as no
 * device of a VM does. Returns at once.
 */
static int inject_wakeup(struct inject_window *w)
{
	hrtimer_start(&w->wakeup_timer, ns_to_ktime(w->amount * NSEC_PER_USEC),
		      HRTIMER_MODE_REL_PINNED_HARD);
	w->start_ns = ktime_get_mono_fast_ns();
	w->end_ns = w->start_ns;
	return 0;
}

static const struct inject_kind inject_kinds[] = {
	{ "hardirq",	INJECT_MAX_US,		inject_hardirq },
	{ "spinlock",	INJECT_MAX_US,		inject_spinlock },
	{ "contend",	INJECT_MAX_US,		inject_contend },
	{ "split",	INJECT_MAX_US,		inject_split },
	{ "indirect",	INJECT_MAX_US,		inject_indirect },
	{ "handler",	INJECT_MAX_US,		run_handler },
	{ "backlog",	INJECT_MAX_US,		run_backlog },
	{ "bh",		INJECT_MAX_US,		inject_bh },
	{ "nested",	INJECT_MAX_US / 3,	inject_nested },
	{ "pending",	INJECT_MAX_US,		inject_pending },
	{ "softirq",	INJECT_MAX_US,		run_softirq },
	{ "idle_handler", INJECT_MAX_US,	run_idle_handler },
	{ "idle_softirq", INJECT_MAX_US,	run_idle_softirq },
	{ "idle_ipi",	INJECT_MAX_US,		inject_idle_run_ipi },
	{ "idle_tasklet", INJECT_MAX_US,	inject_idle_run_tasklet },
	{ "idle_net_rx", INJECT_MAX_US,		inject_idle_run_net_rx },
	{ "ksoftirqd",	INJECT_MAX_US,		inject_ksoftirqd },
	{ "steal",	INJECT_MAX_US,		inject_steal },
	{ "steal_late",	INJECT_MAX_US,		inject_steal_late },
	{ "steal_bh",	INJECT_MAX_US,		inject_steal_bh },
	{ "wakeup",	INJECT_MAX_US,		inject_wakeup },
	{ "loop",	INJECT_MAX_ITERATIONS,	inject_loop },
#ifdef CONFIG_X86_64
	{ "nmi",	INJECT_MAX_NMIS,	inject_nmis },
#endif
};

const struct inject_kind *inject_find_kind(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(inject_kinds); i++)
		if (!strcmp(inject_kinds[i].name, name))
			return &inject_kinds[i];
	return NULL;
}

void inject_window_init(struct inject_window *w, unsigned int cpu)
{
	w->cpu = cpu;
	raw_spin_lock_init(&w->lock);
	init_completion(&w->done);
	compat_hrtimer_setup(&w->hrtimer, inject_handler, CLOCK_MONOTONIC,
			     HRTIMER_MODE_REL_PINNED_HARD);
	inject_idle_init(w);
	inject_steal_init(w);
	compat_hrtimer_setup(&w->wakeup_timer, inject_wakeup_timer,
			     CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer_setup(&w->timer, inject_softirq, TIMER_PINNED);
	tasklet_setup(&w->tasklet, inject_tasklet);
	tasklet_setup(&w->second_tasklet, inject_tasklet);
}

void inject_window_exit(struct inject_window *w)
{
	hrtimer_cancel(&w->wakeup_timer);
	inject_idle_exit(w);
	tasklet_kill(&w->second_tasklet);
}
