/* SPDX-License-Identifier: GPL-2.0 */
/* Names of functions, also of those that have been unloaded since. */
#ifndef TRACE_IRQOFF_NAMES_H
#define TRACE_IRQOFF_NAMES_H

#include <linux/kallsyms.h>
#include <linux/types.h>

struct sample;

int names_init(void);
void names_exit(void);

/**
 * names_lookup() - where a frame of a stack is
 * @sample: a look
 * @i: the frame's number there
 * @name: becomes function+offset/size [module], as it was when the look was taken;
 *	[module]+offset when no more is known
 *
 * Context: process. Return: false when nothing is known, @name is then undefined.
 */
bool names_lookup(const struct sample *sample, unsigned int i,
		  char name[KSYM_SYMBOL_LEN]);

#endif /* TRACE_IRQOFF_NAMES_H */
