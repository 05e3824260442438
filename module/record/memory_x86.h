/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Reads the contents of the stack during a walk. Context: any with interrupts off, NMI too. */
#ifndef TRACE_IRQOFF_MEMORY_X86_H
#define TRACE_IRQOFF_MEMORY_X86_H

#include <linux/types.h>

#include "record/memory.h"

struct pt_regs;
struct unwind_state;

/** memory_read() - copy @bytes from an address that may be wrong. Return: false if it is. */
bool memory_read(void *to, unsigned long addr, size_t bytes);

/** memory_begin() - a walk begins. */
void memory_begin(struct walk_memory *walk);

/**
 * memory_visit() - read a frame
 * @nr: number of frames visited before, below WALK_FRAMES
 * @state: of the caller. Between a frame and its caller, there may be the registers of an
 *	interrupt; or the caller is on another stack. Such a frame is not read.
 * @ip: interrupted instruction, or address to which a call returns
 * @sp: address of the frame
 * @end: address above its return address; 0: not known
 */
void memory_visit(struct walk_memory *walk, unsigned int nr, const struct unwind_state *state,
		  unsigned long ip, unsigned long sp, unsigned long end);

/**
 * memory_keep() - keep what a walk has read
 * @nr: number of frames; 0: there are others, further outside
 * @regs: registers of the innermost function
 */
void memory_keep(struct stack_memory *memory, const struct walk_memory *walk, unsigned int nr,
		 const struct pt_regs *regs);

#endif /* TRACE_IRQOFF_MEMORY_X86_H */
