/* SPDX-License-Identifier: GPL-2.0 */
/* The records as files: trace_latency for people, records for programs. */
#ifndef TRACE_IRQOFF_REPORT_H
#define TRACE_IRQOFF_REPORT_H

#include <linux/seq_file.h>

/* Both need this much private memory for each open file. */
extern const size_t report_private_size;

extern const struct seq_operations report_trace_latency_ops;
extern const struct seq_operations report_records_ops;

/** report_records_news() - Return: whether "records" has what @m has not read. Context: process. */
bool report_records_news(struct seq_file *m);

#endif /* TRACE_IRQOFF_REPORT_H */
