/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* The files in /proc/trace_irqoff, and what they show. Context: process. */
#ifndef TRACE_IRQOFF_FILES_H
#define TRACE_IRQOFF_FILES_H

#include <linux/seq_file.h>

int report_open_trace_latency(struct file *file);
int tables_show_distribute(struct seq_file *m, void *v);
int tables_open_histogram(struct file *file);

int status_show(struct seq_file *m, void *v);
int report_open_records(struct file *file);

/** report_has_records() - Return: whether a read of records would return something. */
bool report_has_records(struct seq_file *m);

/** report_skip_records() - let reads begin after the record of this number. Return: 0 or -errno. */
int report_skip_records(struct seq_file *m, const char *text);

int active_open(struct file *file);

/** active_has_changed() - Return: whether open windows have changed since active was read. */
bool active_has_changed(struct seq_file *m);

/** procfs_init() - create the files. Return: 0, or -ENOMEM. */
int procfs_init(void);

/** procfs_exit() - remove the files, even open ones. Waits for reads and writes. */
void procfs_exit(void);

#endif /* TRACE_IRQOFF_FILES_H */
