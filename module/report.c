// SPDX-License-Identifier: GPL-2.0
/*
 * Walks over the records for the files that show them: trace_latency groups them by
 * kind and CPU, records has them in the order in which they ended. print.c says
 * what each looks like.
 *
 * Both walk over the recorder while it is being written to. A reader looks at
 * the records that were there when it began, leaves out what has been overwritten
 * since, and prints none half: each is copied before it is printed.
 *
 * Who goes on to read "records" after its end gets those that have come since, each once and in
 * order; poll(2) tells when there are any. A record that is being made holds up newer ones for that
 * long, as it could not be shown later.
 *
 * Context: process.
 */
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/seq_file.h>

#include "follow.h"
#include "print.h"
#include "recorder.h"
#include "report.h"
#include "settings.h"
#include "text.h"
#include "walk.h"

/**
 * struct report - one open file
 * @follower: of "records", who may poll it
 * @ended: the end of "records" has been told; who reads on wants newer ones
 * @next: the first record that has not been read; poll(2) looks at it at any time
 * @first: the oldest record when reading began
 * @end: one behind the newest
 * @cpus: the CPUs that have records of each kind
 * @record: the one to print
 */
struct report {
	struct follower follower;
	bool ended;
	u64 next;
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
 *	bits 56...	kind
 *	bits 32...55	0: the heading of the section; else 1 + CPU
 *	bits 0...31	0: the heading of the CPU; else 1 + record - first
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

static loff_t position_of(struct place at)
{
	return (u64)at.kind << POS_KIND | (u64)at.line << POS_LINE | at.record;
}

/* Copy the first record from @at on that belongs to its kind and CPU. */
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

/*
 * Whether a section is there at all. Programs that know the layout of trace-irqoff do not know of
 * nosched windows: where there are none, they see nothing of them.
 */
static bool has_section(const struct report *report, enum window_kind kind)
{
	return kind != WINDOW_NOSCHED || !cpumask_empty(&report->cpus[kind]);
}

/* The first thing to print at or behind a position, which is moved on to it. */
static void *find_place(struct report *report, loff_t *pos)
{
	struct place at = place_at(*pos);

	while (at.kind < NR_WINDOW_KINDS) {
		if (!at.line && !at.record && has_section(report, at.kind))
			break;
		if (at.line && (at.record ? find_record(report, &at) :
			cpumask_test_cpu(at.line - 1, &report->cpus[at.kind])))
			break;

		/* Nothing there: on to the next CPU, or to the next section. */
		at.record = 0;
		at.line = 1 + cpumask_next(at.line - 1, &report->cpus[at.kind]);
		if (at.line > nr_cpu_ids) {
			at.line = 0;
			at.kind++;
		}
	}

	*pos = position_of(at);
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
		seq_puts(m, at.kind == WINDOW_SOFTIRQ ? "\n softirq:\n" :
							"\n nosched:\n");
	}
	return 0;
}

const struct seq_operations report_trace_latency_ops = {
	.start = trace_latency_start,
	.next = trace_latency_next,
	.stop = walk_stop,
	.show = trace_latency_show,
};

/* The first record at or behind a position, which is moved on to it. */
static void *next_record(struct report *report, loff_t *pos)
{
	bool found = false;
	u64 seq;

	for (; report->first + *pos < report->end; ++*pos) {
		seq = report->first + *pos;
		found = recorder_read(seq, &report->record);
		if (!found && recorder_awaits(seq))
			report->end = seq;
		else if (!found)
			/* It may have become whole in between. */
			found = recorder_read(seq, &report->record);
		if (found || report->end == seq)
			break;
		cond_resched();
	}
	WRITE_ONCE(report->next, report->first + *pos);
	return found ? &report->record : NULL;
}

/* What has come since. What was overwritten since is not looked for. */
static void go_on(struct report *report, loff_t *pos)
{
	u64 seq = report->first + *pos, first;

	recorder_range(&first, &report->end);
	if (seq < first)
		*pos = first - report->first;
}

static void *records_start(struct seq_file *m, loff_t *pos)
{
	struct report *report = m->private;
	void *record;

	if (*pos == 0)
		begin(report);
	else if (report->ended)
		go_on(report, pos);

	record = next_record(report, pos);
	report->ended = !record;
	return record;
}

static void *records_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return *pos ? next_record(m->private, pos) : NULL;
}

bool report_records_news(struct seq_file *m)
{
	struct report *report = m->private;
	enum window_kind kind;
	u64 seq, end;
	int cpu;

	/* What has been printed and did not fit into what was read. */
	if (data_race(m->count))
		return true;

	recorder_range(&seq, &end);
	for (seq = max(seq, READ_ONCE(report->next)); seq < end; seq++) {
		if (recorder_peek(seq, &kind, &cpu))
			return true;
		if (recorder_awaits(seq))
			return false;
		/* It may have become whole in between. */
		if (recorder_peek(seq, &kind, &cpu))
			return true;
		cond_resched();
	}
	return false;
}

static int records_show(struct seq_file *m, void *v)
{
	print_record_line(m, v);
	return 0;
}

const struct seq_operations report_records_ops = {
	.start = records_start,
	.next = records_next,
	.stop = walk_stop,
	.show = records_show,
};
