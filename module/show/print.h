/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Prints windows. Context: process. */
#ifndef TRACE_IRQOFF_PRINT_H
#define TRACE_IRQOFF_PRINT_H

#include <linux/types.h>

#include "record/sample.h"

struct record;
struct seq_file;
struct window;

/** print_kind() - Return: the name of a kind of window. */
const char *print_kind(enum window_kind kind);

/** print_record() - for people, in blocks of lines: trace_latency. */
void print_record(struct seq_file *m, const struct record *record);

/** print_record_line() - for programs, as key=value on one line: records. */
void print_record_line(struct seq_file *m, const struct record *record);

/**
 * print_open_window() - for people: active
 * @window: from window_read()
 * @now: CLOCK_MONOTONIC
 * @latency_ns: length of the window so far
 */
void print_open_window(struct seq_file *m, int cpu, const struct window *window,
		       u64 now, u64 latency_ns);

#endif /* TRACE_IRQOFF_PRINT_H */
