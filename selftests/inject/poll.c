// SPDX-License-Identifier: GPL-2.0
/* A NAPI poll that takes long, of a network device that is not registered. Context: process. */
#include <linux/bottom_half.h>
#include <linux/etherdevice.h>
#include <linux/netdevice.h>

#include "spend.h"
#include "window.h"

/* 5.19 renamed the function with this argument. */
#ifndef HAVE_NETIF_NAPI_ADD_WEIGHT
#define netif_napi_add_weight netif_napi_add
#endif

struct inject_device {
	struct napi_struct napi;
	struct inject_window *window;
};

/* In softirq. */
static noinline __noclone int inject_poll(struct napi_struct *napi, int budget)
{
	struct inject_window *w = container_of(napi, struct inject_device, napi)->window;

	inject_spend(w);
	napi_complete_done(napi, 0);
	complete(&w->done);
	return 0;
}

void inject_poll_run(struct inject_window *w)
{
	struct net_device *netdev = alloc_etherdev(sizeof(struct inject_device));
	struct inject_device *device;

	if (!netdev)
		return;
	device = netdev_priv(netdev);
	device->window = w;
	reinit_completion(&w->done);
	netif_napi_add_weight(netdev, &device->napi, inject_poll, NAPI_POLL_WEIGHT);
	napi_enable(&device->napi);
	local_bh_disable();
	napi_schedule(&device->napi);
	local_bh_enable();
	wait_for_completion(&w->done);
	napi_disable(&device->napi);
	netif_napi_del(&device->napi);
	free_netdev(netdev);
}
