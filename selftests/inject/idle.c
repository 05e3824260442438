// SPDX-License-Identifier: GPL-2.0
/*
 * Windows on an idle CPU: another CPU sends it an IPI, and the handler takes long, or schedules a
 * tasklet that takes long.
 *
 * Context: process; inject_ipi() and idle_schedule_tasklet() run in hardirq,
 * inject_long_tasklet() in softirq.
 */
#include <linux/cpumask.h>
#include <linux/jiffies.h>

#include "spend.h"
#include "window.h"

static noinline __noclone void inject_ipi(void *window)
{
	struct inject_window *w = window;

	inject_spend(w);
	complete(&w->done);
}

static void idle_schedule_tasklet(void *window)
{
	struct inject_window *w = window;

	tasklet_schedule(&w->tasklet);
}

static noinline __noclone void inject_long_tasklet(struct tasklet_struct *tasklet)
{
	struct inject_window *w = container_of(tasklet, struct inject_window, tasklet);

	inject_spend(w);
	complete(&w->done);
}

static void idle_send_ipi(struct work_struct *work)
{
	struct inject_window *w = container_of(work, struct inject_window, send_ipi.work);

	/* The CPU has gone offline. */
	if (smp_call_function_single_async(w->cpu, &w->csd))
		complete(&w->done);
}

static void idle_run(struct inject_window *w, void (*handler)(void *window))
{
	unsigned int other = cpumask_any_but(cpu_online_mask, w->cpu);

	if (other >= nr_cpu_ids)
		return;
	reinit_completion(&w->done);
	w->csd.func = handler;
	w->csd.info = w;
	INIT_DELAYED_WORK(&w->send_ipi, idle_send_ipi);
	queue_delayed_work_on(other, system_highpri_wq, &w->send_ipi,
			      msecs_to_jiffies(w->kind->delay_ms));
	wait_for_completion(&w->done);
	cancel_delayed_work_sync(&w->send_ipi);
}

void inject_idle_run_ipi(struct inject_window *w)
{
	idle_run(w, inject_ipi);
}

void inject_idle_run_tasklet(struct inject_window *w)
{
	tasklet_setup(&w->tasklet, inject_long_tasklet);
	idle_run(w, idle_schedule_tasklet);
	tasklet_kill(&w->tasklet);
}
