/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* The stack of interrupted code, with callers that the kernel's unwinder misses. */
#ifndef TRACE_IRQOFF_STACK_H
#define TRACE_IRQOFF_STACK_H

#include <linux/types.h>

struct pt_regs;
struct sample;
struct stack_memory;
struct unwind_state;
struct walk_frame;
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

/* x86 only: the contents of the stack, during a walk (memory_x86.c). Context: as stack_walk(). */

/** memory_read() - copy from any address. Return: false if nothing can be read there. */
bool memory_read(void *to, unsigned long addr, size_t bytes);

/**
 * memory_visit() - read the frame of @ip, from @sp to @end
 * @f: gets the hashes
 * @state: of the unwinder, at the caller. If the registers of an interrupt lie between the frame
 *	and its caller, or if the caller is on another stack, the frame has no words.
 * @end: 0 if it is not known
 */
void memory_visit(struct walk_memory *walk, struct walk_frame *f, const struct unwind_state *state,
		  unsigned long ip, unsigned long sp, unsigned long end);

/**
 * memory_keep() - keep what a walk has read
 * @nr: number of frames; 0: the walk did not reach the outermost frame
 * @regs: registers of the innermost function
 */
void memory_keep(struct stack_memory *memory, const struct walk_memory *walk, unsigned int nr,
		 const struct pt_regs *regs);

#endif /* TRACE_IRQOFF_STACK_H */
