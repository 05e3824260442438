/* SPDX-License-Identifier: GPL-2.0 */
/* Tells when CPUs go idle and wake. */
#ifndef TRACE_IRQOFF_IDLE_H
#define TRACE_IRQOFF_IDLE_H

#include <linux/types.h>

/**
 * idle_init() - get ready
 * @ride: whether that is wanted at all
 */
bool idle_init(bool ride);

/**
 * idle_exit() - not any more
 *
 * No CPU is monitored any more. Waits for each to take an interrupt; what still runs of
 * this, sampler_exit() waits for.
 */
void idle_exit(void);

/**
 * idle_enable() - begin or stop to tell
 *
 * Waits for no CPU: it takes effect when all of them have come by. Context: process,
 * callers take turns.
 */
void idle_enable(bool enable);

/** idle_state() - Return: "on", or "off" and why. */
const char *idle_state(void);

#endif /* TRACE_IRQOFF_IDLE_H */
