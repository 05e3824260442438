/* SPDX-License-Identifier: GPL-2.0 */
/* Those who sleep in poll(2), or a call like it, until there is something new to read. */
#ifndef TRACE_IRQOFF_FOLLOW_H
#define TRACE_IRQOFF_FOLLOW_H

#include <linux/poll.h>
#include <linux/types.h>

/**
 * struct follower - an open file that may be polled
 * @holds: it has been, and keeps the module loaded
 *
 * The first thing in the private data of its seq_file, and zero when that is opened.
 */
struct follower {
	bool holds;
};

void follow_init(void);

/** follow_exit() - Context: process; nothing is told any more, and no file is there. */
void follow_exit(void);

/**
 * follow_tell() - a record has been made, or a window that is open has reached the threshold
 *
 * Context: hardirq, or softirq with interrupts off. Takes no lock, and costs little when nobody
 * sleeps.
 */
void follow_tell(void);

/** follow_count() - Return: how often follow_tell() was called, from 1. Context: any. */
unsigned int follow_count(void);

/**
 * follow_wait() - whoever polls this file is to be woken; to be called before it is looked whether
 * there is something new
 *
 * Context: process. Return: false when the module is being unloaded.
 */
bool follow_wait(struct follower *follower, struct file *file, poll_table *table);

/** follow_release() - the file is closed. Context: process. */
void follow_release(struct follower *follower);

#endif /* TRACE_IRQOFF_FOLLOW_H */
