/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Prints stacks as symbols. Context: process. */
#ifndef TRACE_IRQOFF_SYMBOLS_H
#define TRACE_IRQOFF_SYMBOLS_H

struct sample;
struct seq_file;

/** symbols_init() - from now on remember modules that go. Return: 0, or an error. */
int symbols_init(void);
void symbols_exit(void);

/** symbols_show() - print a stack, innermost first: a frame on each line, after five blanks. */
void symbols_show(struct seq_file *m, const struct sample *sample);

/**
 * symbols_show_folded() - print a stack as one word, outermost first
 *
 * Frames are joined by semicolons: function, function[module], or [module] if the module has gone.
 * A minus sign if there is no stack.
 */
void symbols_show_folded(struct seq_file *m, const struct sample *sample);

#endif /* TRACE_IRQOFF_SYMBOLS_H */
