/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* The registers that a function saves for its caller. x86 only. */
#ifndef TRACE_IRQOFF_PROLOGUE_H
#define TRACE_IRQOFF_PROLOGUE_H

#include <linux/types.h>

#include "record/sample.h"

/* Registers have the numbers of struct stack_memory. */
struct prologue {
	u8 nr;			/* number of words in @saved */
	u8 saved[NR_SAVED];	/* words below the return address: register, or NR_SAVED: other */
	u8 uses;		/* mask of registers that the function has saved, to use them */
	bool complete;		/* the function has saved no others */
	bool has_frame;		/* the frame pointer is set up, and not restored */
};

/**
 * prologue_read() - read the first instructions of a function
 * @function: address of the function
 * @ip: address in the function: instructions from there on have not run
 *
 * Context: process. Return: false if the code cannot be read.
 */
bool prologue_read(unsigned long function, unsigned long ip, struct prologue *prologue);

/** prologue_of_interrupt() - of code that saves each register of the interrupted function */
void prologue_of_interrupt(struct prologue *prologue);

/** prologue_is_called() - Return: whether a direct call of @function lies before @addr. */
bool prologue_is_called(unsigned long function, unsigned long addr);
#endif /* TRACE_IRQOFF_PROLOGUE_H */
