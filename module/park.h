/* SPDX-License-Identifier: GPL-2.0 */
/* A CPU that is idle takes no ticks. */
#ifndef TRACE_IRQOFF_PARK_H
#define TRACE_IRQOFF_PARK_H

#include <linux/types.h>

void park_init(void);

/**
 * park_rests() - this CPU goes idle
 *
 * Its ticks are stopped until it wakes, if it was idle when it last ticked, no softirq
 * window is open, and it is not needed as a watcher of those that are awake.
 *
 * Context: idle task, interrupts off.
 */
void park_rests(void);

/**
 * park_wakes() - this CPU is no longer idle
 * @busy: it has something to do
 *
 * If it is parked, its ticks begin again. If it is busy, and no idle CPU ticks to watch it,
 * one is woken. Context: on that CPU, any but NMI, preemption off.
 */
void park_wakes(bool busy);

#endif /* TRACE_IRQOFF_PARK_H */
