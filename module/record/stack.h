/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel's own unwinder misses. */
#ifndef TRACE_IRQOFF_STACK_H
#define TRACE_IRQOFF_STACK_H

#include <linux/types.h>

struct pt_regs;

/*
 * Frames that lie above the interrupted instruction: those of sample.c, of the tick or the
 * NMI handler, and of how the kernel came there. 5 to 7 were seen on x86, 16 on arm64.
 */
#ifdef CONFIG_ARM64
#define STACK_HEADROOM	24
#else
#define STACK_HEADROOM	12
#endif

#if defined(CONFIG_X86_64) || defined(CONFIG_ARM64)

/**
 * stack_mend() - a stack of which the unwinder misses who called what was interrupted
 * @regs: registers of the interrupted context, in the kernel
 * @callers: who called what was interrupted, as the unwinder has it
 * @nr_callers: how many it found
 * @entries: are filled in, beginning with what was interrupted
 * @size: how many there may be, 2 at least
 *
 * Context: any with interrupts off, NMI too. Return: how many there are, 0 when nothing is
 * missing.
 */
unsigned int stack_mend(const struct pt_regs *regs,
			const unsigned long *callers, unsigned int nr_callers,
			unsigned long *entries, unsigned int size);

#else

static inline unsigned int
stack_mend(const struct pt_regs *regs, const unsigned long *callers,
	   unsigned int nr_callers, unsigned long *entries, unsigned int size)
{
	return 0;
}

#endif

#ifdef CONFIG_ARM64

/* What called the interrupted function may be no caller, see stack_arm64.c. */
#define STACK_MAY_BE_STALE	true

/** stack_is_return() - Return: whether a call may return to @addr. Context: process. */
bool stack_is_return(unsigned long addr);

#else

#define STACK_MAY_BE_STALE	false

static inline bool stack_is_return(unsigned long addr)
{
	return true;
}

#endif

#endif /* TRACE_IRQOFF_STACK_H */
