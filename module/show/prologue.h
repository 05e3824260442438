/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* The registers that a function saves for its caller. */
#ifndef TRACE_IRQOFF_PROLOGUE_H
#define TRACE_IRQOFF_PROLOGUE_H

#include <linux/types.h>

#include "record/memory.h"

/* Registers have the numbers of struct stack_memory. */
struct prologue {
	u8 nr;			/* number of words in @saved */
	u8 saved[NR_SAVED];	/* words below the return address: register, or NR_SAVED: other */
	bool has_frame;		/* the frame pointer is set up, and not restored */
	u8 uses;		/* mask of registers that the function saves, to use them */
};

/**
 * prologue_read() - read the first instructions of a function, up to the first unknown one
 * @function: address of the function
 * @ip: address in the function: instructions from there on have not run
 *
 * Context: process. Return: false if the code cannot be read.
 */
#ifdef CONFIG_X86_64
bool prologue_read(unsigned long function, unsigned long ip, struct prologue *prologue);
#else
static inline bool prologue_read(unsigned long function, unsigned long ip,
				 struct prologue *prologue)
{
	return false;
}
#endif

#endif /* TRACE_IRQOFF_PROLOGUE_H */
