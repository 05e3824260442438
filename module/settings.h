/* SPDX-License-Identifier: GPL-2.0 */
/* What the ticks go by. */
#ifndef TRACE_IRQOFF_SETTINGS_H
#define TRACE_IRQOFF_SETTINGS_H

#include <linux/types.h>

/**
 * struct settings - read anywhere, written by control.c alone
 * @period_ns: sampling period; changes only while no CPU is monitored
 * @asked_ns: what was asked for, before it was rounded up to whole scheduler ticks; likewise
 * @grace_ns: ticks ride on those of the scheduler, and come up to so much after they may:
 *	a scheduler tick; 0 when they do not ride; likewise
 * @threshold_ns: a window of this length is recorded; changes at any time, so it is
 *	read with READ_ONCE()
 * @off_ns: a tick that is so late was kept by a window that was not short: of two
 *	periods it is late by so much wherever in a period that begins; likewise
 * @first_ns: so long after a CPU has woken its first tick is due at the latest: a scheduler tick,
 *	or a period that is shorter and goes with a short threshold; likewise READ_ONCE()
 */
struct settings {
	u64 period_ns;
	u64 asked_ns;
	u64 grace_ns;
	u64 off_ns;
	u64 first_ns;
	u64 threshold_ns;
};

extern struct settings settings;

#endif /* TRACE_IRQOFF_SETTINGS_H */
