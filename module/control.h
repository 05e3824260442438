/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Turning the tracer on and off, and its settings. All functions run in process
 * context, take turns among themselves, and wait for no CPU.
 */
#ifndef TRACE_IRQOFF_CONTROL_H
#define TRACE_IRQOFF_CONTROL_H

#include <linux/cpumask.h>
#include <linux/types.h>

int control_init(void);
void control_exit(void);

bool control_enabled(void);
void control_enable(bool enable);

/**
 * control_set_period() - set the sampling period
 *
 * Raises the threshold to twice the period when it was below, and empties the
 * histograms, as their buckets go by the period.
 *
 * Return: -EBUSY while enabled, -ERANGE when out of 100 us to 1 s or finer
 * than the timers of this machine.
 */
int control_set_period(u64 period_ns);

/**
 * control_set_threshold() - set the latency from which on windows are recorded
 *
 * Return: -EINVAL when below twice the period, -ERANGE when above 1 h.
 */
int control_set_threshold(u64 threshold_ns);

/**
 * control_set_cpus() - choose the CPUs to monitor
 * @list: a CPU list, as 0-3,8
 *
 * Return: -EBUSY while enabled, -EINVAL when it is no list or an empty one,
 * -ERANGE when it names a CPU that can never be there.
 */
int control_set_cpus(const char *list);

/** control_get_cpus() - copy the CPUs to monitor, whether online or not. */
void control_get_cpus(struct cpumask *mask);

/** control_clear() - forget all records and histograms. */
void control_clear(void);

#endif /* TRACE_IRQOFF_CONTROL_H */
