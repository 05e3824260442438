/* SPDX-License-Identifier: GPL-2.0 */
/* Parks CPUs that are idle. */
#ifndef TRACE_IRQOFF_IDLE_H
#define TRACE_IRQOFF_IDLE_H

/**
 * idle_init() - park idle CPUs from now on
 *
 * Waits for no CPU: parking begins when all of them have taken an interrupt.
 */
void idle_init(void);

/**
 * idle_exit() - not any more
 *
 * No CPU is monitored any more. Waits for each to take an interrupt; what still runs of
 * this, sampler_exit() waits for.
 */
void idle_exit(void);

#endif /* TRACE_IRQOFF_IDLE_H */
