/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* The stack of interrupted code, with callers that the kernel's unwinder misses. */
#ifndef TRACE_IRQOFF_STACK_H
#define TRACE_IRQOFF_STACK_H

#include <linux/types.h>

struct pt_regs;
struct sample;
struct walk_memory;

/**
 * stack_walk() - find the callers of interrupted code
 * @sample: gets @entries, @nr_entries, @inserted; and @memory, if it is known
 * @regs: registers of the interrupted context, in the kernel
 * @walk: memory for the walk; NULL: the contents of the stack are not read
 *
 * Context: any with interrupts off, NMI too.
 */
void stack_walk(struct sample *sample, const struct pt_regs *regs, struct walk_memory *walk);

/**
 * stack_is_caller() - is an address that stack_walk() has inserted a caller?
 * @addr: the address
 * @ip: the interrupted instruction
 * @function: address of the interrupted function
 *
 * Context: process. Return: false if @addr is something else, or if code cannot be read.
 */
bool stack_is_caller(unsigned long addr, unsigned long ip, unsigned long function);

#endif /* TRACE_IRQOFF_STACK_H */
