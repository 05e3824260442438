// SPDX-License-Identifier: GPL-2.0
/*
 * A module that leaves
 *
 * Its init keeps interrupts off for so many microseconds, or preemption while another task waits
 * for the CPU, and then fails if it is told to:
 *
 *	insmod irqoff_gone.ko us=300000 preempt=1 fail=1
 *
 * What was seen of it meanwhile has to keep its name when it is gone. other.c makes another
 * one of this, whose functions have the same size and other names: it comes to lie in
 * the same memory.
 *
 * Context: process.
 */

#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#ifndef GONE_HOLD
#define GONE_HOLD	gone_hold
#define GONE_INIT	gone_init
#endif

static unsigned int us;
module_param(us, uint, 0);
MODULE_PARM_DESC(us, "Keep interrupts off for so long (default: not at all)");

static bool preempt;
module_param(preempt, bool, 0);
MODULE_PARM_DESC(preempt, "Keep preemption off, not interrupts (default: no)");

static bool fail;
module_param(fail, bool, 0);
MODULE_PARM_DESC(fail, "Fail to load (default: no)");

static void wait_for_cpu(struct work_struct *unused)
{
}

static DECLARE_WORK(waiting, wait_for_cpu);

/* Not inlined, and found by its name in a trace. */
static noinline __noclone void GONE_HOLD(void)
{
	u64 end_ns;

	preempt_disable();
	if (preempt)
		schedule_work_on(smp_processor_id(), &waiting);
	else
		local_irq_disable();
	end_ns = ktime_get_mono_fast_ns() + (u64)us * NSEC_PER_USEC;
	while (ktime_get_mono_fast_ns() < end_ns)
		cpu_relax();
	if (!preempt)
		local_irq_enable();
	preempt_enable();
	/* The interrupt that has been waiting comes in here. */
	for (end_ns = 0; end_ns < 10000; end_ns++)
		barrier();
}

static noinline __noclone void __init GONE_INIT(void)
{
	GONE_HOLD();
	flush_work(&waiting);
	/* It stays on the stack. */
	barrier();
}

static int __init start(void)
{
	if (us)
		GONE_INIT();
	return fail ? -ECANCELED : 0;
}

static void __exit gone_exit(void)
{
}

module_init(start);
module_exit(gone_exit);

MODULE_DESCRIPTION("Keeps interrupts off and leaves, for tests");
MODULE_LICENSE("GPL");
