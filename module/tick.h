/* SPDX-License-Identifier: GPL-2.0 */
/* What the tick of a monitored CPU does, by each of its two timers. */
#ifndef TRACE_IRQOFF_TICK_H
#define TRACE_IRQOFF_TICK_H

#include <linux/hrtimer.h>

/** own_tick() - @own of struct ticker has fired. Context: hardirq. */
enum hrtimer_restart own_tick(struct hrtimer *timer);

/** ride_tick() - @ride of struct ticker has. Context: hardirq. */
enum hrtimer_restart ride_tick(struct hrtimer *timer);

#endif /* TRACE_IRQOFF_TICK_H */
