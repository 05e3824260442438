/* SPDX-License-Identifier: GPL-2.0 */
/* Which handler of a softirq or an interrupt a stack is in. */
#ifndef TRACE_IRQOFF_HANDLERS_H
#define TRACE_IRQOFF_HANDLERS_H

#include <linux/kallsyms.h>
#include <linux/types.h>

struct record;
struct sample;

/**
 * struct handler - what ran on top of a task
 * @vectors: of softirqs: mask of the vectors that it can be, one mostly; 0: not known, or an
 *	interrupt
 * @name: function[module] that the kernel's runner of such handlers called; may be empty
 */
struct handler {
	u32 vectors;
	char name[KSYM_SYMBOL_LEN];
};

/**
 * handlers_find() - the innermost one in a stack
 *
 * Context: process. Return: false when the stack is in none; @handler is then undefined.
 */
bool handlers_find(const struct sample *sample, struct handler *handler);

/**
 * handlers_of() - of a record
 *
 * Of a hardirq window what all of its looks agree about; of a softirq window what ran
 * at its first look, if that says "serving". Context and return: as above.
 */
bool handlers_of(const struct record *record, struct handler *handler);

#endif /* TRACE_IRQOFF_HANDLERS_H */
