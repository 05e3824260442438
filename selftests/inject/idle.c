// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Windows on an idle CPU: another CPU sends it an IPI, and the handler takes long; or the handler
 * schedules a tasklet or a NAPI poll that takes long.
 *
 * Context: process; inject_ipi(), idle_schedule_tasklet() and idle_schedule_napi() run in hardirq,
 * inject_long_tasklet() and inject_net_rx() in softirq.
 */
#include <linux/cpumask.h>
#include <linux/etherdevice.h>
#include <linux/jiffies.h>

#include "spend.h"
#include "window.h"

#define IDLE_MS	300	/* by then the CPU is idle and its tick is stopped */

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

static void idle_schedule_napi(void *window)
{
	struct inject_window *w = window;

	napi_schedule(&w->napi);
}

static noinline __noclone int inject_net_rx(struct napi_struct *napi, int budget)
{
	struct inject_window *w = container_of(napi, struct inject_window, napi);

	inject_spend(w);
	napi_complete_done(napi, 0);
	complete(&w->done);
	return 0;
}

static void idle_send_ipi(struct work_struct *work)
{
	struct inject_window *w = container_of(work, struct inject_window, send_ipi.work);

	/* The CPU has gone offline. */
	if (smp_call_function_single_async(w->cpu, &w->csd))
		complete(&w->done);
}

static int idle_run(struct inject_window *w, void (*handler)(void *window))
{
	unsigned int other = cpumask_any_but(cpu_online_mask, w->cpu);

	if (other >= nr_cpu_ids)
		return -ENODEV;
	reinit_completion(&w->done);
	w->csd.func = handler;
	w->csd.info = w;
	INIT_DELAYED_WORK(&w->send_ipi, idle_send_ipi);
	queue_delayed_work_on(other, system_highpri_wq, &w->send_ipi,
			      msecs_to_jiffies(IDLE_MS));
	wait_for_completion(&w->done);
	cancel_delayed_work_sync(&w->send_ipi);
	return inject_outcome(w);
}

int inject_idle_run_ipi(struct inject_window *w)
{
	return idle_run(w, inject_ipi);
}

int inject_idle_run_tasklet(struct inject_window *w)
{
	int ret;

	tasklet_setup(&w->tasklet, inject_long_tasklet);
	ret = idle_run(w, idle_schedule_tasklet);
	tasklet_kill(&w->tasklet);
	return ret;
}

int inject_idle_run_net_rx(struct inject_window *w)
{
	struct net_device *device;	/* never registered */
	int ret;

	/* The calls below exist only with CONFIG_NET. */
	if (!IS_ENABLED(CONFIG_NET))
		return -ENODEV;
	device = alloc_etherdev(0);
	if (!device)
		return -ENOMEM;
	/* 5.19 added the function with a weight; 6.1 took the weight out of netif_napi_add(). */
#ifdef HAVE_NAPI_ADD_WEIGHT
	netif_napi_add_weight(device, &w->napi, inject_net_rx, NAPI_POLL_WEIGHT);
#else
	netif_napi_add(device, &w->napi, inject_net_rx, NAPI_POLL_WEIGHT);
#endif
	napi_enable(&w->napi);
	ret = idle_run(w, idle_schedule_napi);
	napi_disable(&w->napi);
	free_netdev(device);
	return ret;
}
