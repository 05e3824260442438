// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The files trace_latency, with records by kind and CPU, and records, in the order in which windows
 * ended. A reader sees the records that were there at its first read. Records that have been
 * overwritten since are left out. A record is copied before it is printed.
 *
 * Context: process.
 */
#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/seq_file.h>

#include "record/recorder.h"
#include "settings.h"
#include "show/files.h"
#include "show/print.h"
#include "text.h"

/**
 * struct report - one open file
 * @first: the oldest record at the first read
 * @end: the newest record then, plus one
 * @cpus: CPUs that have records of each kind
 * @record: copy of the record to print
 */
struct report {
	u64 first;
	u64 end;
	struct cpumask cpus[NR_WINDOW_KINDS];
	struct record record;
};

const size_t report_private_size = sizeof(struct report);

static void begin(struct report *report)
{
	enum window_kind kind;
	u64 seq;
	int cpu;

	for (kind = 0; kind < NR_WINDOW_KINDS; kind++)
		cpumask_clear(&report->cpus[kind]);

	recorder_range(&report->first, &report->end);
	for (seq = report->first; seq < report->end; seq++) {
		if (recorder_peek(seq, &kind, &cpu))
			cpumask_set_cpu(cpu, &report->cpus[kind]);
		cond_resched();
	}
}

/*
 * A position in trace_latency is a kind, a line of that section, and a record:
 *
 *	bits 56 and up	kind
 *	bits 32 to 55	0: the heading of the section; else 1 + CPU
 *	bits 0 to 31	0: the heading of the CPU; else 1 + record - first
 */
#define POS_KIND	56
#define POS_LINE	32
#define POS_LINE_MASK	(BIT(POS_KIND - POS_LINE) - 1)
#define POS_RECORD_MASK	(BIT_ULL(POS_LINE) - 1)

struct place {
	enum window_kind kind;
	unsigned int line;
	u64 record;
};

static struct place place_at(loff_t pos)
{
	return (struct place) {
		.kind = (u64)pos >> POS_KIND,
		.line = (u64)pos >> POS_LINE & POS_LINE_MASK,
		.record = pos & POS_RECORD_MASK,
	};
}

/* Copy the next record of this kind and CPU, from @at on. */
static bool find_record(struct report *report, struct place *at)
{
	enum window_kind kind;
	int cpu;

	for (; report->first + at->record - 1 < report->end; at->record++) {
		u64 seq = report->first + at->record - 1;

		if (recorder_peek(seq, &kind, &cpu) && kind == at->kind &&
		    cpu == at->line - 1 && recorder_read(seq, &report->record))
			return true;
		cond_resched();
	}
	return false;
}

/* Move a position on to the next line or record to print. */
static void *find_place(struct report *report, loff_t *pos)
{
	struct place at = place_at(*pos);

	while (at.kind < NR_WINDOW_KINDS) {
		if (!at.line && !at.record)
			break;
		if (at.line && (at.record ? find_record(report, &at) :
			cpumask_test_cpu(at.line - 1, &report->cpus[at.kind])))
			break;

		/* Go on with the next CPU, or the next section. */
		at.record = 0;
		at.line = 1 + cpumask_next(at.line - 1, &report->cpus[at.kind]);
		if (at.line > nr_cpu_ids) {
			at.line = 0;
			at.kind++;
		}
	}

	*pos = (u64)at.kind << POS_KIND | (u64)at.line << POS_LINE | at.record;
	return at.kind < NR_WINDOW_KINDS ? pos : NULL;
}

static void *trace_latency_start(struct seq_file *m, loff_t *pos)
{
	if (*pos == 0)
		begin(m->private);
	return find_place(m->private, pos);
}

static void *trace_latency_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return find_place(m->private, pos);
}

static int trace_latency_show(struct seq_file *m, void *v)
{
	struct report *report = m->private;
	struct place at = place_at(*(loff_t *)v);

	if (at.record) {
		print_record(m, &report->record);
	} else if (at.line) {
		seq_printf(m, " cpu: %u\n", at.line - 1);
	} else if (at.kind == WINDOW_HARDIRQ) {
		seq_puts(m, "trace_irqoff_latency: ");
		text_show_setting(m, READ_ONCE(settings.threshold_ns));
		seq_puts(m, "\n\n hardirq:\n");
	} else {
		seq_puts(m, "\n softirq:\n");
	}
	return 0;
}

static void report_stop(struct seq_file *m, void *v)
{
}

const struct seq_operations report_trace_latency_ops = {
	.start = trace_latency_start,
	.next = trace_latency_next,
	.stop = report_stop,
	.show = trace_latency_show,
};

static void *records_start(struct seq_file *m, loff_t *pos)
{
	struct report *report = m->private;

	if (*pos == 0)
		begin(report);

	for (; report->first + *pos < report->end; ++*pos) {
		if (recorder_read(report->first + *pos, &report->record))
			return &report->record;
		cond_resched();
	}
	return NULL;
}

static void *records_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return records_start(m, pos);
}

static int records_show(struct seq_file *m, void *v)
{
	print_record_line(m, v);
	return 0;
}

const struct seq_operations report_records_ops = {
	.start = records_start,
	.next = records_next,
	.stop = report_stop,
	.show = records_show,
};
