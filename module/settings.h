/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* The settings, and what follows from them. */
#ifndef TRACE_IRQOFF_SETTINGS_H
#define TRACE_IRQOFF_SETTINGS_H

#include <linux/types.h>

/**
 * struct settings - written by control.c alone; READ_ONCE() reads what may change while enabled
 * @period_ns: sampling period; changes only while disabled
 * @threshold_ns: windows of at least this length are recorded; changes at any time
 * @timer_ns: period of our own timers; changes only while disabled
 * @late_ns: a tick that is at least this late takes the slow path
 * @off_ns: a tick that is at least this late had interrupts off before it; the time since the
 *	previous tick is not counted as softirq latency
 * @check_ns: while a CPU is busy, each watcher checks this often
 * @slow_check_ns: while all CPUs are idle, each watcher checks this often
 */
struct settings {
	u64 period_ns;
	u64 threshold_ns;
	u64 timer_ns;
	u64 late_ns;
	u64 off_ns;
	u64 check_ns;
	u64 slow_check_ns;
};

extern struct settings settings;

#endif /* TRACE_IRQOFF_SETTINGS_H */
