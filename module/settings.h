/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* The settings, and the times that control.c derives from them. */
#ifndef TRACE_IRQOFF_SETTINGS_H
#define TRACE_IRQOFF_SETTINGS_H

#include <linux/types.h>

/**
 * struct settings - written by control.c only; read by all, in any context
 * @period_ns: sampling period
 * @threshold_ns: windows of at least this length are recorded
 * @timer_ns: period of our own timers
 * @late_ns: a tick that is at least this late takes the slow path
 * @off_ns: a tick that is at least this late had interrupts off before it; the time since the
 *	previous tick is not counted as softirq latency
 * @check_ns: while a CPU is busy, each watcher checks this often
 * @slow_check_ns: while all CPUs are idle, each watcher checks this often
 *
 * @period_ns, @timer_ns and @off_ns change only while tracing is disabled. The others may change
 * at any time: read them with READ_ONCE().
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
