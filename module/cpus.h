/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* The monitored CPUs: they start, stop, come and go. */
#ifndef TRACE_IRQOFF_CPUS_H
#define TRACE_IRQOFF_CPUS_H

#include <linux/types.h>

void cpus_init(void);

/**
 * cpus_exit() - wait until no IPI of ours is on its way
 *
 * All CPUs have been stopped. Waits for a CPU that has had interrupts off since cpus_start() sent
 * it an IPI. Context: process.
 */
void cpus_exit(void);

/**
 * cpus_start() - monitor a CPU, from now on or from when it comes online
 *
 * Does not wait for that CPU: it starts when it takes the IPI. Until then it is checked by
 * watchers. Context: process, one caller at a time.
 */
void cpus_start(int cpu);

/**
 * cpus_stop() - do not monitor a CPU any more
 *
 * Waits for a timer callback that runs there right now. Context: process, callers take turns.
 */
void cpus_stop(int cpu);

/** cpus_is_running() - Return: whether a CPU ticks for us. Context: any. */
bool cpus_is_running(int cpu);

/** cpus_is_late() - Return: whether a CPU has not started since cpus_start(). Context: any. */
bool cpus_is_late(int cpu);

/**
 * cpus_send_ipi() - have another CPU start to tick if it is to be monitored, and to watch if it
 *	is a watcher
 *
 * Context: preemption off. If it is offline, nothing happens.
 */
void cpus_send_ipi(int cpu);

/** cpus_online() - a CPU has come. Context: its hotplug thread; at load any process. Return: 0. */
int cpus_online(unsigned int cpu);

/** cpus_offline() - a CPU goes. Context: its hotplug thread. Return: 0. */
int cpus_offline(unsigned int cpu);

#endif /* TRACE_IRQOFF_CPUS_H */
