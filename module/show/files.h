/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* The files in /proc/trace_irqoff, and what they show. Context: process. */
#ifndef TRACE_IRQOFF_FILES_H
#define TRACE_IRQOFF_FILES_H

#include <linux/seq_file.h>

#include "record/sample.h"

struct record;
struct window;

/** procfs_init() - create the files. Return: 0, or -ENOMEM; then, some files may exist. */
int procfs_init(void);

/** procfs_exit() - remove the files, if any, even open ones. Waits for reads and writes. */
void procfs_exit(void);

int status_show(struct seq_file *m, void *v);
int handlers_show(struct seq_file *m, void *v);
int tables_show_distribute(struct seq_file *m, void *v);
int tables_open_histogram(struct file *file);
int report_open_trace_latency(struct file *file);
void report_close_trace_latency(struct seq_file *m);
int report_open_records(struct file *file);

/** report_has_records() - Return: whether a read of records would return something. */
bool report_has_records(struct seq_file *m);

/** report_skip_records() - let reads begin after the record of this number. Return: 0 or -errno. */
int report_skip_records(struct seq_file *m, const char *text);

int active_open(struct file *file);

/** active_has_changed() - Return: whether open windows have changed since active was read. */
bool active_has_changed(struct seq_file *m);

/* seq_operations of files whose position is a CPU. Any file can have print_stop(). */
void *print_start_cpu(struct seq_file *m, loff_t *pos);
void *print_next_cpu(struct seq_file *m, void *v, loff_t *pos);
void print_stop(struct seq_file *m, void *v);

/** symbols_init() - from now on remember modules that go. Return: 0, or an error. */
int symbols_init(void);
void symbols_exit(void);

/** symbols_show() - print a stack, innermost first: a frame on each line, after five blanks. */
void symbols_show(struct seq_file *m, const struct sample *sample);

/**
 * symbols_show_folded() - print a stack as one word, outermost first
 *
 * Frames are joined by semicolons: function, function[module], or [module] if the module has gone.
 * A minus sign if there is no stack.
 */
void symbols_show_folded(struct seq_file *m, const struct sample *sample);

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

#endif /* TRACE_IRQOFF_FILES_H */
