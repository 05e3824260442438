/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Callers that the kernel's unwinder misses. */
#ifndef TRACE_IRQOFF_STACK_H
#define TRACE_IRQOFF_STACK_H

#include <linux/minmax.h>
#include <linux/string.h>
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
 * @inserted: set if entries[1] was inserted, and may be wrong: see stack_is_caller()
 *
 * Context: any with interrupts off, NMI too. Return: number of entries; 0 if no caller is missing.
 */
unsigned int stack_mend(const struct pt_regs *regs,
			const unsigned long *callers, unsigned int nr_callers,
			unsigned long *entries, unsigned int size, bool *inserted);

/* Return: number of entries of a stack with @addr as caller of @ip. */
static inline unsigned int stack_insert(unsigned long ip, unsigned long addr,
					const unsigned long *callers, unsigned int nr_callers,
					unsigned long *entries, unsigned int size)
{
	entries[0] = ip;
	entries[1] = addr;
	nr_callers = min(nr_callers, size - 2);
	memcpy(entries + 2, callers, nr_callers * sizeof(*entries));
	return nr_callers + 2;
}

/**
 * stack_is_caller() - is an address that stack_mend() has inserted a caller?
 * @addr: the address
 * @ip: the interrupted instruction
 * @function: address of the interrupted function
 *
 * Context: process. Return: false if @addr is something else, or if code cannot be read.
 */
bool stack_is_caller(unsigned long addr, unsigned long ip, unsigned long function);

#endif /* TRACE_IRQOFF_STACK_H */
