/* SPDX-License-Identifier: GPL-2.0 */
/* The CPUs that are monitored. */
#ifndef TRACE_IRQOFF_SAMPLER_H
#define TRACE_IRQOFF_SAMPLER_H

#include <linux/types.h>

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
 * @phase_ns: when in a sampling period it is to tick by a timer of its own
 *
 * Context: process, callers take turns. Does not wait for that CPU: its timer
 * starts as soon as it takes interrupts. Until then a window is open there.
 */
void sampler_start(int cpu, u64 phase_ns);

/**
 * sampler_stop() - no more ticks on a CPU
 *
 * Context: process, callers take turns. Does not need that CPU to do anything,
 * but waits for a tick that is running there right now.
 */
void sampler_stop(int cpu);

/** sampler_running() - Return: whether a CPU is being monitored. */
bool sampler_running(int cpu);

/**
 * sampler_late() - Return: whether a CPU was told to begin, and has not. For a moment
 * this is so for each; then its interrupts are off.
 */
bool sampler_late(int cpu);

/** sampler_rides() - Return: whether a CPU's ticks ride on those of the scheduler. */
bool sampler_rides(int cpu);

/**
 * sampler_cpu_online() - a CPU has come
 *
 * Context: its hotplug thread; at load any process, as none is wanted yet.
 */
void sampler_cpu_online(int cpu);

/** sampler_cpu_offline() - a CPU is going. Context: its hotplug thread. */
void sampler_cpu_offline(int cpu);

#endif /* TRACE_IRQOFF_SAMPLER_H */
