/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Tells listeners about windows: fires the trace events, and wakes those who poll a file. */
#ifndef TRACE_IRQOFF_ANNOUNCE_H
#define TRACE_IRQOFF_ANNOUNCE_H

#include <linux/types.h>
#include <linux/wait.h>

#include "record/sample.h"

struct record;
struct window;

/* Woken when a record was made, and when the windows that are open change. */
extern struct wait_queue_head announce_wait;

/**
 * announce_take_sample() - call window_sample() in a tick, and announce the sample
 *
 * Fires sample, and window_open if the window has reached the threshold. Context: hardirq.
 */
void announce_take_sample(struct window *window, u64 began_ns, u64 now, enum sample_state state);

/**
 * announce_open_window() - announce what NMI handlers have sampled, and a window that is long
 * @now: the caller saw the window open then, CLOCK_MONOTONIC; its length counts up to then
 *
 * Context: hardirq.
 */
void announce_open_window(int cpu, struct window *window, u64 now);

/** announce_closed() - an announced window was closed: wake those who poll. Any context. */
void announce_closed(const struct window *window);

/**
 * announce_end() - a window has ended: announce what was not announced yet, then fire window
 * @window: NULL: it was never open
 * @record: is complete, but for recorder_commit()
 *
 * Context: as window_end().
 */
void announce_end(struct window *window, const struct record *record);

/** announce_wake() - wake those who poll a file. Context: any. */
void announce_wake(void);

/**
 * announce_nr_changes() - Return: how many windows have reached the threshold, plus how many of
 * these have ended. Context: any.
 */
u64 announce_nr_changes(void);

/** announce_exit() - to be called when no CPU is monitored any more. Context: process. */
void announce_exit(void);

#endif /* TRACE_IRQOFF_ANNOUNCE_H */
