/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* The files in /proc/trace_irqoff, and what they show. Context: process. */
#ifndef TRACE_IRQOFF_FILES_H
#define TRACE_IRQOFF_FILES_H

#include <linux/seq_file.h>

/* seq_file's private memory: trace_latency and records need this many bytes. */
extern const size_t report_private_size;
extern const struct seq_operations report_trace_latency_ops;
extern const struct seq_operations report_records_ops;

int active_show(struct seq_file *m, void *v);
int tables_show_distribute(struct seq_file *m, void *v);
extern const struct seq_operations tables_histogram_ops;

/** procfs_init() - create the files. Return: 0, or -ENOMEM. */
int procfs_init(void);

/** procfs_exit() - remove the files, even open ones. Waits for reads and writes. */
void procfs_exit(void);

#endif /* TRACE_IRQOFF_FILES_H */
