/* SPDX-License-Identifier: GPL-2.0 */
/* Walking over the CPUs in a file that prints something of each. */
#ifndef TRACE_IRQOFF_WALK_H
#define TRACE_IRQOFF_WALK_H

#include <linux/types.h>

struct seq_file;

/* For a struct seq_operations: the element that show() gets is the CPU, a loff_t. */
void *walk_cpus_start(struct seq_file *m, loff_t *pos);
void *walk_cpus_next(struct seq_file *m, void *v, loff_t *pos);

/* For any struct seq_operations whose start() holds on to nothing. */
void walk_stop(struct seq_file *m, void *v);

#endif /* TRACE_IRQOFF_WALK_H */
