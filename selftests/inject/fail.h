/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls into the kernel that are made to fail
 */
#ifndef IRQOFF_INJECT_FAIL_H
#define IRQOFF_INJECT_FAIL_H

#ifdef CONFIG_KPROBES

/**
 * fail_init() - offer /proc/irqoff_fail
 *
 * Context: process context.
 * Return: 0, or -ENOMEM.
 */
int fail_init(void);

/**
 * fail_exit() - take it away; what is armed is disarmed
 *
 * Context: process context, when no call that was made to fail is under way.
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
