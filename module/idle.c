// SPDX-License-Identifier: GPL-2.0
/*
 * Learns from a tracepoint when a CPU goes idle and when it wakes: it need not be woken
 * once a period to find that nothing happens there.
 *
 * To hook in there and out again, the kernel changes its code, and has all CPUs take an
 * interrupt meanwhile. A CPU that has them off holds that up, and with it whoever else has
 * code to change. So it is not even tried before RCU knows that each CPU has come by,
 * and then by a work item: turning on and off never waits. Until then each CPU ticks by a
 * timer of its own, idle or not.
 *
 * Context: with each function.
 */
#include <linux/irqflags.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <linux/tracepoint.h>
#include <trace/events/power.h>

#include "awake.h"
#include "compat.h"
#include "idle.h"
#include "settings.h"
#include "softirqs.h"
#include "ticker.h"
#include "watch.h"

/* What has to be done seldom. Not inlined: the other cases would save registers for it. */
static noinline void goes_idle_slowly(void)
{
	if (this_cpu_read(awakes.near))
		ticker_ends_near();
	if (ticker_is_running())
		awake_check_long();
	if (watch_is_wanted())
		ticker_watches(ktime_get_ns());
	/* The first timer may be another one now. */
	awake_goes_idle();
}

/*
 * With mwait, and from 6.3 on with hlt, interrupts are off here. With mwait the one that it
 * wakes for comes next, and nobody says when a task does. For timers of its own it is not work
 * yet, as most often nothing follows.
 */
static __always_inline bool wakes_for_work(void)
{
	return awake_rested() &&
	       (need_resched() || (settings.grace_ns && irqs_disabled()));
}

static noinline void wakes_slowly(void)
{
	/* A softirq window that is still open becomes a record, by ksoftirqd. */
	if (ticker_is_running() &&
	    !READ_ONCE(softirqs_window(smp_processor_id())->began_ns))
		awake_check_late();
	if (wakes_for_work())
		ticker_wakes();
}

/*
 * Idle task, preemption off; when it goes idle, interrupts too. A CPU may come by thousands of
 * times a second: each instruction counts.
 */
static void on_cpu_idle(void *unused, unsigned int state, unsigned int cpu)
{
	if (state != PWR_EVENT_EXIT) {
		awake_goes_idle();
		if (unlikely(this_cpu_read(awakes.near) || watch_is_wanted() ||
			     awake_was_long()))
			goes_idle_slowly();
	} else {
		awake_wakes();
		if (unlikely(awake_was_late() || wakes_for_work()))
			wakes_slowly();
	}
}

static bool allowed;
static bool possible;
static bool wanted;
static bool hooked;
static bool failed;
static struct rcu_work hook_work;

/* So long the hook stays when it is off: who turns it on again soon changes no code. */
#define STAY_MS		(5 * MSEC_PER_SEC)

/* Process. */
static void hook(struct work_struct *work)
{
	bool want = READ_ONCE(wanted);

	if (want == hooked)
		return;
	WRITE_ONCE(failed, false);
	if (!want) {
		WRITE_ONCE(awake_known, false);
		/* Who turns it on again rides only after this. Pairs with idle_enable(). */
		smp_mb();
		if (READ_ONCE(wanted)) {
			WRITE_ONCE(awake_known, true);
			return;
		}
		unregister_trace_cpu_idle(on_cpu_idle, NULL);
	} else if (register_trace_cpu_idle(on_cpu_idle, NULL)) {
		WRITE_ONCE(failed, true);
	}
	WRITE_ONCE(hooked, want && !failed);
	WRITE_ONCE(awake_known, hooked);
}

static void change_hook(struct work_struct *work)
{
	/* If it runs right now, it runs once more. */
	queue_rcu_work(compat_unbound_wq, &hook_work);
}

static DECLARE_DELAYED_WORK(change_work, change_hook);

void idle_enable(bool enable)
{
	if (!allowed)
		return;
	WRITE_ONCE(wanted, enable);
	smp_mb();	/* pairs with hook() */
	mod_delayed_work(compat_unbound_wq, &change_work,
			 enable ? 0 : msecs_to_jiffies(STAY_MS));
}

const char *idle_state(void)
{
	if (!allowed)
		return possible ? "off (parameter)" : "off (no cycle counter)";
	if (!READ_ONCE(wanted))
		return "off (disabled)";
	if (READ_ONCE(hooked))
		return "on";
	return READ_ONCE(failed) ? "off (no hook)" : "off (a CPU has not come by yet)";
}

bool idle_init(bool ride)
{
	possible = awake_init();
	allowed = ride && possible;
	INIT_RCU_WORK(&hook_work, hook);
	return allowed;
}

void idle_exit(void)
{
	if (cancel_delayed_work_sync(&change_work))
		change_hook(NULL);
	flush_rcu_work(&hook_work);
}
