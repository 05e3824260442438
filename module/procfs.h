/* SPDX-License-Identifier: GPL-2.0 */
/* The files under /proc/trace_irqoff. */
#ifndef TRACE_IRQOFF_PROCFS_H
#define TRACE_IRQOFF_PROCFS_H

int procfs_init(void);

/** procfs_exit() - remove the files, also those that are open. Waits for calls. */
void procfs_exit(void);

#endif /* TRACE_IRQOFF_PROCFS_H */
