// SPDX-License-Identifier: GPL-2.0
/*
 * Learns from a tracepoint when a CPU goes idle and when it wakes, and has it parked:
 * it need not be woken once a period to find that nothing happens there.
 *
 * To hook in there, the kernel changes its code, and has all CPUs take an interrupt
 * meanwhile. A CPU that has them off must not hold up who loads the module, so a work item
 * does that.
 *
 * Context: with each function.
 */
#include <linux/sched.h>
#include <linux/tracepoint.h>
#include <trace/events/power.h>

#include "compat.h"
#include "idle.h"
#include "rest.h"
#include "sampler.h"

/* Idle task, preemption off; when it goes idle, interrupts too. */
static void on_cpu_idle(void *unused, unsigned int state, unsigned int cpu)
{
	if (state != PWR_EVENT_EXIT)
		sampler_rests();
	else
		/* If its interrupt has run, and left no task to run, it rests on. */
		sampler_wakes(need_resched() || !rest_late());
}

static bool hooked;

/* Process. */
static void hook(struct work_struct *work)
{
	hooked = !register_trace_cpu_idle(on_cpu_idle, NULL);
}

static DECLARE_WORK(hook_work, hook);

void idle_init(void)
{
	queue_work(compat_unbound_wq, &hook_work);
}

void idle_exit(void)
{
	cancel_work_sync(&hook_work);
	if (hooked)
		unregister_trace_cpu_idle(on_cpu_idle, NULL);
}
