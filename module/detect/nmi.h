/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Samples of a CPU that has interrupts off, taken by NMI. */
#ifndef TRACE_IRQOFF_NMI_H
#define TRACE_IRQOFF_NMI_H

#include <linux/cpumask.h>
#include <linux/types.h>

#include "record/window.h"

/**
 * struct nmi_counts - NMIs since the module was loaded
 * @sent: to CPUs that were stuck
 * @taken: of these, by the CPUs
 * @late: of the taken ones, those that added no sample to the hardirq window
 */
struct nmi_counts {
	u64 sent;
	u64 taken;
	u64 late;
};

/**
 * nmi_setup() - register the NMI handlers
 * @mode: 0: send no NMIs; 1: send them; below 0: send them unless a driver may panic on one
 * @cycles: see counter.h; 0: no counter
 *
 * Context: process. Without NMIs everything else works.
 */
int nmi_setup(int mode, u64 cycles);

/** nmi_teardown() - no CPU is checked any more. Waits for NMIs on their way, and for RCU. */
void nmi_teardown(void);

/**
 * nmi_enable() - start to send NMIs, or stop
 * @cpus: the CPUs that are to be monitored; NULL: stop
 *
 * Waits for no CPU. Context: process, one caller at a time.
 */
void nmi_enable(const struct cpumask *cpus);

/** nmi_obstacle() - Return: why no NMIs are sent, or NULL. Context: process. */
const char *nmi_obstacle(void);

/**
 * nmi_request() - send an NMI to a CPU that has a window open, unless one is on its way
 *
 * Context: hardirq. Return: whether one was sent.
 */
bool nmi_request(int cpu, u64 now);

/** nmi_is_sampling() - Return: whether an NMI handler uses the window of a CPU. Hardirq. */
bool nmi_is_sampling(int cpu);

/** nmi_cpu_online() - no NMI is on its way to a CPU that was offline. Context: process. */
void nmi_cpu_online(int cpu);

/** nmi_window() - Return: the window that watchers open for a CPU. Any context. */
struct window *nmi_window(int cpu);

void nmi_count_all(struct nmi_counts *counts);

#endif /* TRACE_IRQOFF_NMI_H */
