// SPDX-License-Identifier: GPL-2.0
/*
 * Wakes those who sleep in poll(2), or a call like it, until there is something new to read.
 *
 * A queue of sleepers has a lock, which on PREEMPT_RT may sleep, and is not to be taken by a tick
 * anywhere. So that only looks whether there is anybody, and leaves the rest to an irq_work.
 *
 * The kernel takes files of a module that goes away from those who have them open, but not who
 * sleeps in poll(2) from a queue: it would wake up to a queue that is not there any more. So a
 * file that has once been polled keeps the module loaded until it is closed.
 *
 * Context: with each function in follow.h.
 */
#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/wait.h>

#include "follow.h"

static DECLARE_WAIT_QUEUE_HEAD(sleepers);
static struct irq_work wake_work;
static atomic_t told = ATOMIC_INIT(1);

/* Hardirq; on PREEMPT_RT a thread. */
static void wake(struct irq_work *work)
{
	wake_up_all(&sleepers);
}

void follow_tell(void)
{
	atomic_inc(&told);
	/*
	 * Either who goes to sleep sees what is new, or this sees that it sleeps. Pairs with the
	 * barrier in follow_wait().
	 */
	smp_mb__after_atomic();
	/* After that barrier no lock is needed to see them. */
	if (waitqueue_active(&sleepers))
		irq_work_queue(&wake_work);
}

unsigned int follow_count(void)
{
	return atomic_read(&told);
}

bool follow_wait(struct follower *follower, struct file *file, poll_table *table)
{
	if (!READ_ONCE(follower->holds)) {
		if (!try_module_get(THIS_MODULE))
			return false;
		/* Another thread may have been faster. */
		if (xchg(&follower->holds, true))
			module_put(THIS_MODULE);
	}
	poll_wait(file, &sleepers, table);
	smp_mb();	/* pairs with follow_tell() */
	return true;
}

/* Then the module may go; but its files do before, which waits until this one is closed. */
void follow_release(struct follower *follower)
{
	if (follower->holds)
		module_put(THIS_MODULE);
}

void follow_init(void)
{
	init_irq_work(&wake_work, wake);
}

void follow_exit(void)
{
	irq_work_sync(&wake_work);
}
