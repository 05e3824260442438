/* SPDX-License-Identifier: GPL-2.0 */
/* Stacks as people and programs read them: symbols, never addresses. */
#ifndef TRACE_IRQOFF_FRAMES_H
#define TRACE_IRQOFF_FRAMES_H

#include <linux/kallsyms.h>
#include <linux/types.h>

struct sample;
struct seq_file;

/**
 * frames_show() - print a stack, a frame a line, innermost first
 *
 * Each line is indented by five blanks and reads function+offset/size [module].
 */
void frames_show(struct seq_file *m, const struct sample *sample);

/**
 * frames_show_folded() - print a stack in one word, outermost first
 *
 * Functions only, joined by semicolons; function[module] for a module's. A lone
 * minus sign when there is no stack.
 */
void frames_show_folded(struct seq_file *m, const struct sample *sample);

/**
 * frames_name() - "function" or "function [module]" of a frame
 *
 * Of a look into a window, not of its end.
 *
 * Return: false when it is no caller, or no symbol is known.
 */
bool frames_name(const struct sample *sample, unsigned int i,
		 char name[KSYM_SYMBOL_LEN]);

/** frames_is_softirq_core() - Return: whether this function runs softirq handlers. */
bool frames_is_softirq_core(const char *name);

#endif /* TRACE_IRQOFF_FRAMES_H */
