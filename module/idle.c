// SPDX-License-Identifier: GPL-2.0
/*
 * Learns from a tracepoint when a CPU goes idle and when it wakes, and has it parked:
 * it need not be woken once a period to find that nothing happens there.
 *
 * To hook in there and out again, the kernel changes its code, and has all CPUs take an
 * interrupt meanwhile. A CPU that has them off holds that up, and with it whoever else has
 * code to change. So it is not even tried before RCU knows that each CPU has come by,
 * and then by a work item: turning on and off never waits. What is given up meanwhile is
 * that idle CPUs are parked.
 *
 * Context: with each function.
 */
#include <linux/sched.h>
#include <linux/tracepoint.h>
#include <trace/events/power.h>

#include "compat.h"
#include "idle.h"
#include "park.h"
#include "rest.h"

/* Idle task, preemption off; when it goes idle, interrupts too. */
static void on_cpu_idle(void *unused, unsigned int state, unsigned int cpu)
{
	if (state != PWR_EVENT_EXIT)
		park_rests();
	else
		/* If its interrupt has run, and left no task to run, it rests on. */
		park_wakes(need_resched() || !rest_late());
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
	if (!want)
		unregister_trace_cpu_idle(on_cpu_idle, NULL);
	else if (register_trace_cpu_idle(on_cpu_idle, NULL))
		WRITE_ONCE(failed, true);
	WRITE_ONCE(hooked, want && !failed);
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

void idle_init(bool park)
{
	allowed = park;
	INIT_RCU_WORK(&hook_work, hook);
}

void idle_exit(void)
{
	if (cancel_delayed_work_sync(&change_work))
		change_hook(NULL);
	flush_rcu_work(&hook_work);
}
