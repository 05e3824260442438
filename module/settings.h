/* SPDX-License-Identifier: GPL-2.0 */
/* What the ticks go by. */
#ifndef TRACE_IRQOFF_SETTINGS_H
#define TRACE_IRQOFF_SETTINGS_H

#include <linux/types.h>

/**
 * struct settings - read anywhere, written by control.c alone
 * @period_ns: sampling period; changes only while no CPU is monitored
 * @threshold_ns: a window of this length is recorded; changes at any time, so it is
 *	read with READ_ONCE()
 */
struct settings {
	u64 period_ns;
	u64 threshold_ns;
};

extern struct settings settings;

#endif /* TRACE_IRQOFF_SETTINGS_H */
