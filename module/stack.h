/* SPDX-License-Identifier: GPL-2.0 */
/* Stacks that the kernel's own unwinder gives up on. */
#ifndef TRACE_IRQOFF_STACK_H
#define TRACE_IRQOFF_STACK_H

#include <linux/types.h>

struct pt_regs;

#ifdef CONFIG_X86_64

/**
 * stack_past_thunk() - the stack of whoever was about to call by a pointer
 * @regs: registers of the interrupted context, in the kernel
 * @callers: who called what was interrupted, as the kernel's unwinder has it
 * @nr_callers: how many it found
 * @entries: are filled in, beginning with the place of the call
 * @size: how many there may be
 *
 * Context: any with interrupts off, NMI too. Return: how many there are, 0 when no
 * thunk was interrupted.
 */
unsigned int stack_past_thunk(const struct pt_regs *regs,
			      const unsigned long *callers,
			      unsigned int nr_callers, unsigned long *entries,
			      unsigned int size);

#else

static inline unsigned int
stack_past_thunk(const struct pt_regs *regs, const unsigned long *callers,
		 unsigned int nr_callers, unsigned long *entries,
		 unsigned int size)
{
	return 0;
}

#endif

#endif /* TRACE_IRQOFF_STACK_H */
