/* SPDX-License-Identifier: GPL-2.0 */
/* Which lock a CPU waited for: a number, and never its address. */
#ifndef TRACE_IRQOFF_LOCKS_H
#define TRACE_IRQOFF_LOCKS_H

#include <linux/types.h>

struct record;

void locks_init(void);

/**
 * locks_awaited() - the lock that all looks agree about that saw the CPU wait for one
 * @record: a window
 * @lock: becomes a number that is the same for the same lock, until the module is unloaded
 *
 * Numbers that differ prove nothing: see locks.c. Context: process. Return: false when there is
 * no such look, or they do not agree.
 */
bool locks_awaited(const struct record *record, u32 *lock);

#endif /* TRACE_IRQOFF_LOCKS_H */
