/* SPDX-License-Identifier: GPL-2.0 */
/* The windows that are open right now, as a file. */
#ifndef TRACE_IRQOFF_ACTIVE_H
#define TRACE_IRQOFF_ACTIVE_H

#include <linux/seq_file.h>

/* Needs this much private memory for each open file. */
extern const size_t active_private_size;

extern const struct seq_operations active_ops;

/**
 * active_news() - has a window reached the threshold, or ended, since @m was last read?
 *
 * From its beginning, that is. Context: process.
 */
bool active_news(struct seq_file *m);

#endif /* TRACE_IRQOFF_ACTIVE_H */
