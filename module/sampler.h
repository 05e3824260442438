/* SPDX-License-Identifier: GPL-2.0 */
/* The two timers of each monitored CPU. */
#ifndef TRACE_IRQOFF_SAMPLER_H
#define TRACE_IRQOFF_SAMPLER_H

#include <linux/types.h>

struct window;

int sampler_init(void);

/**
 * sampler_exit() - wait until nothing of the sampler runs or will run any more
 *
 * All CPUs have been stopped before. Waits for a CPU that was told to start
 * while it had interrupts off, and has not turned them on since.
 */
void sampler_exit(void);

/**
 * sampler_start() - monitor a CPU, from now on or from when it comes online
 * @cpu: the CPU
 * @phase_ns: when in a sampling period it is to tick
 *
 * Context: process, callers take turns. Does not wait for that CPU: its timers
 * start as soon as it takes interrupts.
 */
void sampler_start(int cpu, u64 phase_ns);

/**
 * sampler_stop() - no more ticks on a CPU
 *
 * Context: process, callers take turns. Does not need that CPU to do anything,
 * but waits for a tick that is running there right now.
 */
void sampler_stop(int cpu);

/** sampler_softirq_window() - Return: the softirq window of a CPU. */
const struct window *sampler_softirq_window(int cpu);

/** sampler_running() - Return: whether the timers of a CPU are running. */
bool sampler_running(int cpu);

/**
 * sampler_cpu_online() - a CPU has come
 *
 * Context: its hotplug thread; at load any process, as none is wanted yet.
 */
void sampler_cpu_online(int cpu);

/** sampler_cpu_offline() - a CPU is going. Context: its hotplug thread. */
void sampler_cpu_offline(int cpu);

#endif /* TRACE_IRQOFF_SAMPLER_H */
