/* SPDX-License-Identifier: GPL-2.0 */
/* By how much a riding tick is late. */
#ifndef TRACE_IRQOFF_LATE_H
#define TRACE_IRQOFF_LATE_H

#include <linux/types.h>

struct ticker;

/**
 * late_ride() - by how much the riding tick is late
 * @t: of this CPU; it is past its due_ns, and this is told once of it
 *
 * What nobody will see is counted (awake.h). Context: hardirq. Return: ns, 0 when it is late for
 * other reasons than that this CPU took no interrupts.
 */
u64 late_ride(struct ticker *t, u64 now);

#endif /* TRACE_IRQOFF_LATE_H */
