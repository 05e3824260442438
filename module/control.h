/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/*
 * Enables and disables tracing, and changes settings. Context: process, any number of callers.
 * No function waits for a CPU, except for a timer callback that the CPU is running right now.
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
 * @text: see text_to_ns()
 *
 * Raises the threshold to twice the period if it was below. Clears the histograms, as
 * distribute counts in periods.
 *
 * Return: -EINVAL if @text is no duration, -EBUSY while enabled, -ERANGE unless between 100 us (or
 *	twice the resolution of hrtimers) and 1 s.
 */
int control_set_period(const char *text);

/**
 * control_set_threshold() - record windows of at least this length
 * @text: see text_to_ns()
 *
 * Return: -EINVAL if @text is no duration, or is below twice the sampling period; -ERANGE above
 *	1 h.
 */
int control_set_threshold(const char *text);

/**
 * control_set_cpus() - choose the CPUs to monitor
 * @list: a CPU list, such as 0-3,8
 *
 * Return: -EBUSY while enabled, -EINVAL if @list is no list or is empty, -ERANGE if a CPU is not
 *	possible.
 */
int control_set_cpus(const char *list);

/** control_get_cpus() - copy the mask of CPUs to monitor, online or not. */
void control_get_cpus(struct cpumask *mask);

/** control_emit_cpus() - print these CPUs to a page of sysfs. Return: the length. */
int control_emit_cpus(char *page);

/** control_clear() - clear records and histograms. */
void control_clear(void);

#endif /* TRACE_IRQOFF_CONTROL_H */
