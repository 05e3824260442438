// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Prints records in two files. trace_latency sorts them by kind and CPU. The file records has them
 * in the order in which their windows ended. Records that are overwritten before the reader reaches
 * them are left out. A reader of trace_latency gets the records that exist at the first read. A
 * reader of records that reads on at the end gets newer ones. Context: process.
 */
#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "record/recorder.h"
#include "settings.h"
#include "show/files.h"
#include "text.h"

/* One open file. */
struct report {
	struct record record;	/* copy of the record to print */

	/* The file records: */
	u64 base;		/* number of the record at position 0 */

	/* The file trace_latency: */
	u64 first;		/* the oldest record at the first read */
	u64 end;		/* the newest record at the first read, plus one */
	struct cpumask cpus[NR_WINDOW_KINDS];	/* CPUs that have records of each kind */
	enum window_kind kind;	/* the section to print */
	int cpu;		/* the CPU to print; -1: the heading of the section */
	u64 seq;		/* the record to print; 0: the heading of the CPU */
};

static void report_begin(struct report *report)
{
	u64 seq;

	memset(report->cpus, 0, sizeof(report->cpus));
	recorder_range(&report->first, &report->end);
	for (seq = report->first; seq < report->end; seq++) {
		if (recorder_peek(seq, &report->record))
			cpumask_set_cpu(report->record.cpu, &report->cpus[report->record.kind]);
		cond_resched();
	}
	report->kind = 0;
	report->cpu = -1;
	report->seq = 0;
}

/* Copy the next record of this CPU and kind. Return: false if there is none. */
static bool report_next_record(struct report *report)
{
	u64 seq = report->seq ? report->seq + 1 : report->first;
	struct record *record = &report->record;

	for (; seq < report->end; seq++) {
		if (recorder_peek(seq, record) && record->kind == report->kind &&
		    record->cpu == report->cpu && recorder_read(seq, record)) {
			report->seq = seq;
			return true;
		}
		cond_resched();
	}
	return false;
}

static void *trace_latency_start(struct seq_file *m, loff_t *pos)
{
	struct report *report = m->private;

	/* A read goes on where the last one has stopped, or starts again at 0. */
	if (*pos == 0)
		report_begin(report);
	return report->kind < NR_WINDOW_KINDS ? report : NULL;
}

static void *trace_latency_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct report *report = v;

	++*pos;
	if (report->cpu >= 0 && report_next_record(report))
		return report;

	/* No more records: go on with the next CPU, or the next section. */
	report->seq = 0;
	report->cpu = cpumask_next(report->cpu, &report->cpus[report->kind]);
	if (report->cpu < nr_cpu_ids)
		return report;
	report->cpu = -1;
	report->kind++;
	return report->kind < NR_WINDOW_KINDS ? report : NULL;
}

static int trace_latency_show(struct seq_file *m, void *v)
{
	struct report *report = v;

	if (report->seq) {
		print_record(m, &report->record);
	} else if (report->cpu >= 0) {
		seq_printf(m, " cpu: %d\n", report->cpu);
	} else if (report->kind == WINDOW_HARDIRQ) {
		seq_puts(m, "trace_irqoff_latency: ");
		text_show_setting(m, READ_ONCE(settings.threshold_ns));
		seq_puts(m, "\n\n hardirq:\n");
	} else {
		seq_printf(m, "\n %s:\n", print_kind(report->kind));
	}
	return 0;
}

static void report_stop(struct seq_file *m, void *v)
{
}

static const struct seq_operations trace_latency_ops = {
	.start = trace_latency_start,
	.next = trace_latency_next,
	.stop = report_stop,
	.show = trace_latency_show,
};

int report_open_trace_latency(struct file *file)
{
	return seq_open_private(file, &trace_latency_ops, sizeof(struct report));
}

static void *records_start(struct seq_file *m, loff_t *pos)
{
	struct report *report = m->private;
	u64 seq = recorder_next(report->base + *pos);

	/* A record that is overwritten meanwhile cannot be read. */
	while (seq && !recorder_read(seq, &report->record))
		seq = recorder_next(seq + 1);
	if (!seq)
		return NULL;
	*pos = seq - report->base;
	return &report->record;
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

static const struct seq_operations records_ops = {
	.start = records_start,
	.next = records_next,
	.stop = report_stop,
	.show = records_show,
};

int report_open_records(struct file *file)
{
	return seq_open_private(file, &records_ops, sizeof(struct report));
}

bool report_has_records(struct seq_file *m)
{
	struct report *report = m->private;

	/* count: bytes that were printed, but not read. */
	return READ_ONCE(m->count) || recorder_next(report->base + READ_ONCE(m->index));
}

int report_skip_records(struct seq_file *m, const char *text)
{
	struct report *report = m->private;
	u64 seq;
	int ret = kstrtou64(text, 10, &seq);

	if (ret)
		return ret;
	if (seq >= S64_MAX)
		return -ERANGE;
	report->base = seq + 1;
	return 0;
}
