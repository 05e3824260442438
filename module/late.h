/* SPDX-License-Identifier: GPL-2.0 */
/* By how much a tick is late. */
#ifndef TRACE_IRQOFF_LATE_H
#define TRACE_IRQOFF_LATE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "ticker.h"

/**
 * late_ride() - by how much the riding tick is late
 * @t: of this CPU; it is past its due_ns, and this is told once of it
 *
 * What nobody will see is counted (awake.h). Context: hardirq. Return: ns, 0 when it is late for
 * other reasons than that this CPU took no interrupts.
 */
u64 late_ride(struct ticker *t, u64 now);

/** late_tick() - likewise, of one by either timer, due or not. */
static inline u64 late_tick(struct ticker *t, u64 now)
{
	if (likely(now <= t->due_ns))
		return 0;
	/* One that rides may come earlier, but on an idle CPU it is soon late for another one. */
	return t->rides ? late_ride(t, now) : now - t->due_ns;
}

#endif /* TRACE_IRQOFF_LATE_H */
