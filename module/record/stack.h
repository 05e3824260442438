/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Callers that the kernel's unwinder misses. */
#ifndef TRACE_IRQOFF_STACK_H
#define TRACE_IRQOFF_STACK_H

#include <linux/types.h>

struct pt_regs;

/* Room for the interrupt's frames: 5 to 7 were seen on x86, 16 on arm64. */
#define STACK_HEADROOM	24

/**
 * stack_mend() - insert the innermost callers into a stack, if the unwinder has missed them
 * @regs: registers of the interrupted context, in the kernel
 * @callers: the callers of the interrupted function, as the unwinder found them
 * @nr_callers: number of @callers
 * @entries: gets the mended stack, from the interrupted instruction on
 * @size: room in @entries, at least 2
 *
 * Context: any with interrupts off, NMI too. Return: number of entries; 0 if no caller is missing.
 */
unsigned int stack_mend(const struct pt_regs *regs,
			const unsigned long *callers, unsigned int nr_callers,
			unsigned long *entries, unsigned int size);

/** stack_is_return() - arm64: whether a call may return to @addr. Context: process. */
bool stack_is_return(unsigned long addr);

#endif /* TRACE_IRQOFF_STACK_H */
