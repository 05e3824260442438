/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* The stack of interrupted code, with callers that the kernel's unwinder misses. */
#ifndef TRACE_IRQOFF_STACK_H
#define TRACE_IRQOFF_STACK_H

#include <linux/types.h>

#include "record/sample.h"

struct pt_regs;
struct stack_memory;
struct walk_memory;

/**
 * stack_walk() - find the callers of interrupted code
 * @regs: registers of the interrupted context, in the kernel
 * @entries: gets the interrupted instruction, and the return addresses
 * @size: room in @entries, at least 2
 * @inserted: set if entries[1] was inserted, and may be wrong: see stack_is_caller()
 * @walk: memory for the walk; or NULL
 * @memory: with @walk: gets the contents of the stack, if they are known
 *
 * Context: any with interrupts off, NMI too. Return: number of entries, at least 1.
 */
unsigned int stack_walk(const struct pt_regs *regs, code_addr *entries, unsigned int size,
			bool *inserted, struct walk_memory *walk, struct stack_memory *memory);

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
