/* SPDX-License-Identifier: GPL-2.0 */
/* The histograms as files: distribute and histogram. */
#ifndef TRACE_IRQOFF_TABLES_H
#define TRACE_IRQOFF_TABLES_H

#include <linux/seq_file.h>

int tables_show_distribute(struct seq_file *m, void *v);

extern const struct seq_operations tables_histogram_ops;

#endif /* TRACE_IRQOFF_TABLES_H */
