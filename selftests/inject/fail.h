/* SPDX-License-Identifier: GPL-2.0 */
/* /proc/irqoff_fail: make calls into the kernel fail. */
#ifndef IRQOFF_INJECT_FAIL_H
#define IRQOFF_INJECT_FAIL_H

#ifdef CONFIG_KPROBES

/**
 * fail_init() - create /proc/irqoff_fail
 *
 * Context: process context.
 * Return: 0, or -ENOMEM.
 */
int fail_init(void);

/**
 * fail_exit() - disarm, and remove the file
 *
 * Context: process context, while trace_irqoff makes no call that is armed.
 */
void fail_exit(void);

#else

static inline int fail_init(void)
{
	return 0;
}

static inline void fail_exit(void)
{
}

#endif

#endif /* IRQOFF_INJECT_FAIL_H */
