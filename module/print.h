/* SPDX-License-Identifier: GPL-2.0 */
/* What a window looks like in our files. */
#ifndef TRACE_IRQOFF_PRINT_H
#define TRACE_IRQOFF_PRINT_H

#include <linux/types.h>

#include "recorder.h"
#include "sample.h"

struct seq_file;
struct window;

/* The words for these, wherever they are told. */
extern const char * const kind_names[NR_WINDOW_KINDS];
extern const char * const state_names[NR_SAMPLE_STATES];

/**
 * print_culprit() - Return: the look that says who it was
 *
 * When a softirq window is over, its culprit is not there any more. Context: any.
 */
static inline const struct sample *print_culprit(const struct record *record)
{
	return record->kind == WINDOW_SOFTIRQ && record->nr_samples ?
	       &record->samples[0] : &record->end;
}

/** print_record() - a record for people, a block or several. */
void print_record(struct seq_file *m, const struct record *record);

/** print_record_line() - a record for programs, key=value on one line. */
void print_record_line(struct seq_file *m, const struct record *record);

/**
 * print_open_window() - a window that is not over
 * @m: where to
 * @cpu: whose it is
 * @window: it, with the looks so far
 * @now: CLOCK_MONOTONIC
 * @latency_ns: how long it has lasted
 */
void print_open_window(struct seq_file *m, int cpu, const struct window *window,
		       u64 now, u64 latency_ns);

#endif /* TRACE_IRQOFF_PRINT_H */
