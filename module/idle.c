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
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <linux/tracepoint.h>
#include <trace/events/power.h>

#include "awake.h"
#include "compat.h"
#include "idle.h"
#include "ticker.h"
#include "watch.h"

/* What has to be done seldom. Not inlined: the other cases would save registers for it. */
static noinline void goes_idle_slowly(void)
{
	if (this_cpu_read(awakes.near))
		ticker_ends_near();
	awake_check_long();
	if (watch_is_wanted())
		ticker_watches(ktime_get_ns());
	/* The first timer may be another one now. */
	awake_goes_idle();
}

static noinline void wakes_slowly(void)
{
	awake_check_late();
	if (need_resched() && awake_rested())
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
		if (unlikely(awake_was_late() || (need_resched() && awake_rested())))
			wakes_slowly();
	}
}

static bool allowed;
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
	mod_delayed_work(compat_unbound_wq, &change_work,
			 enable ? 0 : msecs_to_jiffies(STAY_MS));
}

const char *idle_state(void)
{
	if (!allowed)
		return "off (parameter)";
	if (!READ_ONCE(wanted))
		return "off (disabled)";
	if (READ_ONCE(hooked))
		return "on";
	return READ_ONCE(failed) ? "off (no hook)" : "off (a CPU has not come by yet)";
}

void idle_init(bool ride)
{
	allowed = ride;
	INIT_RCU_WORK(&hook_work, hook);
}

void idle_exit(void)
{
	if (cancel_delayed_work_sync(&change_work))
		change_hook(NULL);
	flush_rcu_work(&hook_work);
}
