// SPDX-License-Identifier: GPL-2.0
/*
 * A module that is unloaded while records still have frames of it. Its init keeps interrupts off
 * for @us microseconds, and then fails if @fail is set. other.c makes a second module of this file,
 * whose functions have the same sizes and other names: the kernel loads it into the same memory.
 *
 * Context: process.
 */
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/timekeeping.h>

#ifndef GONE_HOLD
#define GONE_HOLD	gone_hold
#endif

static unsigned int us;
module_param(us, uint, 0);
MODULE_PARM_DESC(us, "Keep interrupts off for this long, in microseconds (default: 0)");

static bool fail;
module_param(fail, bool, 0);
MODULE_PARM_DESC(fail, "Fail to load (default: no)");

/* Tests search stacks for this name. */
static noinline __noclone void GONE_HOLD(void)
{
	u64 end_ns;

	local_irq_disable();
	end_ns = ktime_get_mono_fast_ns() + (u64)us * NSEC_PER_USEC;
	while (ktime_get_mono_fast_ns() < end_ns)
		cpu_relax();
	local_irq_enable();
	/* The pending interrupt comes here, and not in the caller. */
	for (end_ns = 0; end_ns < 10000; end_ns++)
		barrier();
}

static int __init gone_init(void)
{
	if (us)
		GONE_HOLD();
	return fail ? -ECANCELED : 0;
}

static void __exit gone_exit(void)
{
}

module_init(gone_init);
module_exit(gone_exit);

MODULE_DESCRIPTION("Module that keeps interrupts off and is unloaded, for tests");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
