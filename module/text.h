/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Durations, times and names as text. Context: process; text_show_comm() also in a panic. */
#ifndef TRACE_IRQOFF_TEXT_H
#define TRACE_IRQOFF_TEXT_H

#include <linux/interrupt.h>
#include <linux/types.h>

struct seq_file;

/**
 * text_to_ns() - read a duration: digits, then nothing (ms), us, ms or s
 * @ns: is set on success only
 *
 * Return: -EINVAL for any other text, -ERANGE above one hour.
 */
int text_to_ns(const char *text, u64 *ns);

/** text_show_setting() - print a duration exactly, in ms or us. */
void text_show_setting(struct seq_file *m, u64 ns);

/**
 * text_show_latency() - print a latency: whole ms, below 10 ms with three decimals
 * @up: round up, for an upper bound
 * @unit: "ms", or "+ms" for a window that is open
 */
void text_show_latency(struct seq_file *m, u64 ns, bool up, const char *unit);

/** text_show_time() - print a CLOCK_REALTIME as UTC, to the microsecond. */
void text_show_time(struct seq_file *m, u64 real_ns);

/**
 * text_show_comm() - print a task's name, which the task has chosen itself
 *
 * Blanks, backslashes, and all but printable ASCII become \xNN; an empty name becomes \x00.
 */
void text_show_comm(struct seq_file *m, const char *comm);

extern const char * const text_softirqs[NR_SOFTIRQS];	/* the names */

#endif /* TRACE_IRQOFF_TEXT_H */
