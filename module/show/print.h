/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Prints windows. Context: process. */
#ifndef TRACE_IRQOFF_PRINT_H
#define TRACE_IRQOFF_PRINT_H

#include <linux/types.h>

struct record;
struct seq_file;
struct window;

/** print_record() - for people: one block, or several. */
void print_record(struct seq_file *m, const struct record *record);

/** print_record_line() - for programs: key=value on one line. */
void print_record_line(struct seq_file *m, const struct record *record);

/**
 * print_open_window() - a window that has not ended
 * @window: a copy of the window of @cpu
 * @now: CLOCK_MONOTONIC
 * @latency_ns: its length so far
 */
void print_open_window(struct seq_file *m, int cpu, const struct window *window,
		       u64 now, u64 latency_ns);

#endif /* TRACE_IRQOFF_PRINT_H */
