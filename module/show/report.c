// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Prints records in two files. trace_latency sorts them by kind and CPU. The file records has them
 * in the order in which their windows ended. Records that are overwritten before the reader reaches
 * them are left out. A reader of trace_latency gets the records that exist at the first read. A
 * reader of records that reads on at the end gets newer ones. Context: process.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "record/record.h"
#include "settings.h"
#include "show/files.h"
#include "text.h"

/*
 * A key sorts the records of trace_latency. From the highest bit, a key has
 *   - the kind (8 bits),
 *   - the CPU (24 bits),
 *   - the number of the record (32 bits).
 */
#define KEY(kind, cpu, number)	((u64)(kind) << 56 | (u64)(cpu) << 32 | (number))
#define KEY_KIND(key)		((key) >> 56)
#define KEY_CPU(key)		((int)((key) >> 32 & 0xffffff))
#define KEY_NUMBER(key)		((u32)(key))

/* One open file. */
struct report {
	struct record record;	/* copy of the record to print */

	/* The file records: */
	u64 base;		/* number of the record at position 0 */

	/* The file trace_latency: */
	u64 first;		/* the oldest record at the first read */
	u64 *keys;		/* of all records at the first read, sorted; then an end marker */
	size_t nr_keys;		/* with the end marker */
};

static int report_compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	/* sort() lets no other task run, and takes 16 ms or more for 65536 keys. */
	cond_resched();
	return x < y ? -1 : x > y;
}

/* With 1024 CPUs and 65536 records, a search for each CPU would read 67 million slots: sort. */
static int report_begin(struct report *report)
{
	struct record *record = &report->record;
	size_t nr = 0;
	u64 first, seq, end;

	recorder_range(&first, &end);
	kvfree(report->keys);
	report->keys = kvmalloc_array(end - first + 1, sizeof(u64), GFP_KERNEL);
	if (!report->keys)
		return -ENOMEM;

	for (seq = first; seq < end; seq++) {
		if (recorder_read(seq, record))
			report->keys[nr++] = KEY(record->kind, record->cpu, seq - first);
		cond_resched();
	}
	sort(report->keys, nr, sizeof(u64), report_compare, NULL);
	report->keys[nr++] = KEY(NR_WINDOW_KINDS, 0, 0);
	report->nr_keys = nr;
	report->first = first;
	return 0;
}

static void *trace_latency_start(struct seq_file *m, loff_t *pos)
{
	struct report *report = m->private;
	int ret = *pos ? 0 : report_begin(report);

	if (ret)
		return ERR_PTR(ret);
	return *pos < report->nr_keys ? &report->keys[*pos] : NULL;
}

static void *trace_latency_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct report *report = m->private;

	cond_resched();
	return ++*pos < report->nr_keys ? &report->keys[*pos] : NULL;
}

/* The headings between two records: of each section that begins, also of an empty one. */
static void trace_latency_show_headings(struct seq_file *m, const u64 *before, u64 key)
{
	enum window_kind kind = before ? KEY_KIND(*before) : WINDOW_HARDIRQ;

	if (!before) {
		seq_puts(m, "trace_irqoff_latency: ");
		text_show_setting(m, READ_ONCE(settings.threshold_ns));
		seq_puts(m, "\n\n hardirq:\n");
	}
	while (kind < KEY_KIND(key) && ++kind < NR_WINDOW_KINDS)
		seq_printf(m, "\n %s:\n", print_kind(kind));
	if (kind < NR_WINDOW_KINDS && (!before || *before >> 32 != key >> 32))
		seq_printf(m, " cpu: %d\n", KEY_CPU(key));
}

static int trace_latency_show(struct seq_file *m, void *v)
{
	struct report *report = m->private;
	const u64 *key = v;

	trace_latency_show_headings(m, key > report->keys ? key - 1 : NULL, *key);
	/* A record that is overwritten meanwhile cannot be read. */
	if (KEY_KIND(*key) < NR_WINDOW_KINDS &&
	    recorder_read(report->first + KEY_NUMBER(*key), &report->record)) {
		symbols_lock();
		print_record(m, &report->record);
		symbols_unlock();
	}
	return 0;
}

static const struct seq_operations trace_latency_ops = {
	.start = trace_latency_start,
	.next = trace_latency_next,
	.stop = print_stop,
	.show = trace_latency_show,
};

int report_open_trace_latency(struct file *file)
{
	return seq_open_private(file, &trace_latency_ops, sizeof(struct report));
}

void report_close_trace_latency(struct seq_file *m)
{
	struct report *report = m->private;

	kvfree(report->keys);
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
	symbols_lock();
	print_record_line(m, v);
	symbols_unlock();
	return 0;
}

static const struct seq_operations records_ops = {
	.start = records_start,
	.next = records_next,
	.stop = print_stop,
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
	/* For report_has_records(): the next read sets these to 0, too. */
	WRITE_ONCE(m->index, 0);
	WRITE_ONCE(m->count, 0);
	return 0;
}
