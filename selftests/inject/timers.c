// SPDX-License-Identifier: GPL-2.0
/*
 * Windows in the callback of a timer: an hrtimer in hardirq, a timer_list in softirq.
 *
 * Context: inject_handler() and inject_on_irq() run in hardirq; timers_on_rcu() and the callbacks
 * of @timer in softirq (PREEMPT_RT: in a thread); all else in process context, on the CPU of @w.
 */
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>

#include "spend.h"
#include "window.h"

/* 6.2 renamed del_timer_sync(). */
#ifndef HAVE_TIMER_DELETE_SYNC
#define timer_delete_sync del_timer_sync
#endif

#define BACKLOG_NS	(10 * NSEC_PER_MSEC)	/* longer than a scheduler tick */
#define ON_TOP_NS	(200 * NSEC_PER_USEC)	/* of each ms */

static noinline __noclone enum hrtimer_restart inject_handler(struct hrtimer *hrtimer)
{
	struct inject_window *w = container_of(hrtimer, struct inject_window, hrtimer);

	inject_spend(w);
	complete(&w->done);
	return HRTIMER_NORESTART;
}

/*
 * A pinned timer stays on the CPU that starts it, unless that CPU goes offline: then
 * inject_spend() does nothing. A writer that is killed while it waits must not leave the timer.
 */
void inject_timers_run_handler(struct inject_window *w)
{
	unsigned int ms = w->kind->delay_ms;
	unsigned long give_up = jiffies + HZ;

	inject_start_timer(w, inject_handler, ms * NSEC_PER_MSEC);
	/* The timer must interrupt this task: if the task sleeps first, the CPU may be idle. */
	while (!ms && !completion_done(&w->done) && time_before(jiffies, give_up))
		cpu_relax();
	wait_for_completion_killable(&w->done);
	hrtimer_cancel(&w->hrtimer);
}

/*
 * Interrupts are off for BACKLOG_NS. The timer interrupt that follows has two callbacks to run:
 * inject_handler() first, and then the scheduler's tick.
 */
void inject_timers_run_backlog(struct inject_window *w)
{
	u64 start_ns;

	if (w->amount <= BACKLOG_NS / NSEC_PER_USEC)
		return;
	w->amount -= BACKLOG_NS / NSEC_PER_USEC;
	local_irq_disable();
	start_ns = ktime_get_mono_fast_ns();
	inject_start_timer(w, inject_handler, 0);
	while (ktime_get_mono_fast_ns() - start_ns < BACKLOG_NS)
		inject_nothing(INJECT_ITERATIONS);
	local_irq_enable();
	wait_for_completion_killable(&w->done);
	hrtimer_cancel(&w->hrtimer);
	w->start_ns = start_ns;
}

noinline __noclone void inject_softirq(struct timer_list *timer)
{
	struct inject_window *w = container_of(timer, struct inject_window, timer);

	inject_spend(w);
	complete(&w->done);
}

/* The kind has no delay, so @delay_ms is 0, which is no address. */
noinline __noclone void inject_oops_softirq(struct timer_list *timer)
{
	struct inject_window *w = container_of(timer, struct inject_window, timer);

	inject_spend(w);
	WRITE_ONCE(*(int *)(unsigned long)w->kind->delay_ms, 0);
}

noinline __noclone void inject_off_softirq(struct timer_list *timer)
{
	struct inject_window *w = container_of(timer, struct inject_window, timer);
	unsigned long flags;

	local_irq_save(flags);
	inject_spend(w);
	local_irq_restore(flags);
	complete(&w->done);
}

noinline __noclone void inject_toggle_softirq(struct timer_list *timer)
{
	struct inject_window *w = container_of(timer, struct inject_window, timer);

	inject_spend_by(w, inject_toggle);
	complete(&w->done);
}

static void timers_on_rcu(struct rcu_head *rcu)
{
	complete(&container_of(rcu, struct inject_window, rcu)->done);
}

noinline __noclone void inject_rcu_softirq(struct timer_list *timer)
{
	struct inject_window *w = container_of(timer, struct inject_window, timer);

	inject_spend(w);
	call_rcu(&w->rcu, timers_on_rcu);
}

static noinline __noclone enum hrtimer_restart inject_on_irq(struct hrtimer *hrtimer)
{
	u64 start_ns = ktime_get_mono_fast_ns();

	while (ktime_get_mono_fast_ns() - start_ns < ON_TOP_NS)
		inject_nothing(1);
	hrtimer_forward_now(hrtimer, ms_to_ktime(1));
	return HRTIMER_RESTART;
}

noinline __noclone void inject_irqs_softirq(struct timer_list *timer)
{
	struct inject_window *w = container_of(timer, struct inject_window, timer);

	inject_start_timer(w, inject_on_irq, NSEC_PER_MSEC);
	inject_spend(w);
	hrtimer_cancel(&w->hrtimer);
	complete(&w->done);
}

/* A timer_list runs at the start of a jiffy. */
void inject_timers_run_softirq(struct inject_window *w)
{
	reinit_completion(&w->done);
	timer_setup(&w->timer, w->kind->softirq, TIMER_PINNED);
	mod_timer(&w->timer, jiffies + msecs_to_jiffies(w->kind->delay_ms));
	wait_for_completion_killable(&w->done);
	timer_delete_sync(&w->timer);
}
