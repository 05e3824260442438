/* SPDX-License-Identifier: GPL-2.0 */
/* Windows as trace events, for ftrace, perf and BPF. */
#ifndef TRACE_IRQOFF_EVENTS_H
#define TRACE_IRQOFF_EVENTS_H

#include <linux/types.h>

#include "sample.h"

struct record;
struct window;

/**
 * events_window() - a window is over
 * @record: of it, filled in, and not yet seen by others
 *
 * Of a hardirq window, the looks into it are told now, too.
 *
 * Context: hardirq, or softirq with interrupts off.
 */
void events_window(const struct record *record);

/**
 * events_look() - a look has just been taken into a window of this CPU
 * @kind: not hardirq, as looks into these are taken in NMI
 * @who: the look
 * @now: CLOCK_MONOTONIC
 *
 * Context: as above.
 */
void events_look(enum window_kind kind, const struct sample *who, u64 now);

/**
 * events_looked() - likewise, into one that has reached the threshold: the newest look of @window
 *
 * The first one says that the window is open, as events_open() does.
 */
void events_looked(enum window_kind kind, const struct window *window, u64 now,
		   u64 latency_ns);

/**
 * events_open() - a window that is still open has reached the threshold: to who listens to the
 * event, and who polls
 * @kind: which
 * @cpu: whose, which may be another one's than this
 * @window: it, with the looks so far
 * @now: CLOCK_MONOTONIC
 * @latency_ns: how long it has lasted
 *
 * Context: hardirq.
 */
void events_open(enum window_kind kind, int cpu, const struct window *window,
		 u64 now, u64 latency_ns);

#endif /* TRACE_IRQOFF_EVENTS_H */
