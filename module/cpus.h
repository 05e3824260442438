/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Starts and stops the monitoring of CPUs, also when they come online and go offline. */
#ifndef TRACE_IRQOFF_CPUS_H
#define TRACE_IRQOFF_CPUS_H

#include <linux/types.h>

/** cpus_on_ipi() - this CPU has taken an IPI of ipi.c. Context: hardirq. */
void cpus_on_ipi(void);

/** cpus_exit() - after all CPUs are stopped: wait for IPIs on their way. Context: process. */
void cpus_exit(void);

/**
 * cpus_start() - monitor a CPU, from now on or from when it comes online
 *
 * Sends the CPU an IPI, and does not wait: the CPU ticks when it has taken the IPI. Watchers check
 * the CPU from now on. Context: process, one caller at a time.
 */
void cpus_start(int cpu);

/** cpus_stop() - stop to monitor a CPU. Waits for its timer callbacks. Context: as cpus_start(). */
void cpus_stop(int cpu);

/** cpus_is_running() - Return: whether a CPU ticks. Context: any. */
bool cpus_is_running(int cpu);

/** cpus_is_late() - Return: whether a CPU has not taken the IPI of cpus_start(). Context: any. */
bool cpus_is_late(int cpu);

/** cpus_online() - a CPU has come online. Context: its hotplug thread, or load. Return: 0. */
int cpus_online(unsigned int cpu);

/** cpus_offline() - a CPU goes offline. Context: its hotplug thread. Return: 0. */
int cpus_offline(unsigned int cpu);

#endif /* TRACE_IRQOFF_CPUS_H */
