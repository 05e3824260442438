// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the records. trace_latency groups them by kind and CPU, in the layout
 * of trace-irqoff, with our fields behind its own; records has one line each in
 * the order in which they ended.
 *
 * Both walk over the recorder while it is being written to. A reader looks at
 * the records that were there when it began, leaves out what has been overwritten
 * since, and prints none half: each is copied before it is printed.
 *
 * Context: process.
 */
#include <linux/cpumask.h>
#include <linux/interrupt.h>
#include <linux/math64.h>
#include <linux/seq_file.h>

#include "frames.h"
#include "recorder.h"
#include "report.h"
#include "sampler.h"
#include "text.h"

/**
 * struct report - one open file
 * @first: the oldest record when reading began
 * @end: one behind the newest
 * @cpus: the CPUs that have records of each kind
 * @record: the one to print
 */
struct report {
	u64 first;
	u64 end;
	struct cpumask cpus[NR_WINDOW_KINDS];
	struct record record;
};

const size_t report_private_size = sizeof(struct report);

static const char * const kind_names[NR_WINDOW_KINDS] = {
	[WINDOW_HARDIRQ] = "hardirq",
	[WINDOW_SOFTIRQ] = "softirq",
};

static const char * const state_names[NR_SAMPLE_STATES] = {
	[STATE_IRQ_OFF] = "irq-off",
	[STATE_SERVING] = "serving",
	[STATE_BH_OFF] = "bh-off",
	[STATE_KSOFTIRQD] = "ksoftirqd",
	[STATE_OVER] = "unknown",
};

static const char * const vector_names[NR_SOFTIRQS] = {
	[HI_SOFTIRQ] = "HI",
	[TIMER_SOFTIRQ] = "TIMER",
	[NET_TX_SOFTIRQ] = "NET_TX",
	[NET_RX_SOFTIRQ] = "NET_RX",
	[BLOCK_SOFTIRQ] = "BLOCK",
	[IRQ_POLL_SOFTIRQ] = "IRQ_POLL",
	[TASKLET_SOFTIRQ] = "TASKLET",
	[SCHED_SOFTIRQ] = "SCHED",
	[HRTIMER_SOFTIRQ] = "HRTIMER",
	[RCU_SOFTIRQ] = "RCU",
};

static void begin(struct report *report)
{
	enum window_kind kind;
	u64 seq;
	int cpu;

	for (kind = 0; kind < NR_WINDOW_KINDS; kind++)
		cpumask_clear(&report->cpus[kind]);

	recorder_range(&report->first, &report->end);
	for (seq = report->first; seq < report->end; seq++)
		if (recorder_peek(seq, &kind, &cpu))
			cpumask_set_cpu(cpu, &report->cpus[kind]);
}

static void show_pending(struct seq_file *m, const struct sample *sample)
{
	const char *comma = "";
	int i;

	for (i = 0; i < NR_SOFTIRQS; i++) {
		if (!(sample->pending & BIT(i)))
			continue;
		seq_printf(m, "%s%s", comma, vector_names[i]);
		comma = ",";
	}
	if (!*comma)
		seq_putc(m, '-');
}

static void show_task(struct seq_file *m, const struct sample *sample)
{
	seq_puts(m, "     COMMAND: ");
	text_show_comm(m, sample->comm);
	seq_printf(m, " PID: %d LATENCY: ", sample->pid);
}

static void show_time_and_place(struct seq_file *m, const struct record *record,
				const struct sample *sample)
{
	/* Both clocks of the end are known, so any monotonic time can be told. */
	seq_puts(m, " TIME: ");
	text_show_time(m, record->end_real_ns -
			  (record->end_mono_ns - sample->at_ns));
	seq_printf(m, " CGROUP: %llu TGID: %d", sample->cgroup, sample->tgid);
}

/* A look into a softirq window: a block of its own, as in trace-irqoff. */
static void show_softirq_sample(struct seq_file *m, const struct record *record,
				const struct sample *sample)
{
	show_task(m, sample);
	text_show_latency(m, sample->offset_ns, false, "+ms");
	seq_printf(m, " STATE: %s PENDING: ", state_names[sample->state]);
	show_pending(m, sample);
	show_time_and_place(m, record, sample);
	seq_putc(m, '\n');
	frames_show(m, sample);
	seq_putc(m, '\n');
}

static void show_record(struct seq_file *m, const struct record *record)
{
	unsigned int i;

	if (record->kind == WINDOW_SOFTIRQ)
		for (i = 0; i < record->nr_samples; i++)
			show_softirq_sample(m, record, &record->samples[i]);

	show_task(m, &record->end);
	text_show_latency(m, record->latency_ns, false, "ms");
	seq_puts(m, " MAX: ");
	text_show_latency(m, record->max_ns, true, "ms");
	show_time_and_place(m, record, &record->end);
	seq_putc(m, '\n');
	frames_show(m, &record->end);
	seq_putc(m, '\n');
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
	}
	return false;
}

/* The first thing to print at or behind a position, which is moved on to it. */
static void *find_place(struct report *report, loff_t *pos)
{
	struct place at = place_at(*pos);

	while (at.kind < NR_WINDOW_KINDS) {
		if (!at.line && !at.record)
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

static void nothing_to_stop(struct seq_file *m, void *v)
{
}

static int trace_latency_show(struct seq_file *m, void *v)
{
	struct report *report = m->private;
	struct place at = place_at(*(loff_t *)v);

	if (at.record) {
		show_record(m, &report->record);
	} else if (at.line) {
		seq_printf(m, " cpu: %u\n", at.line - 1);
	} else if (at.kind == WINDOW_HARDIRQ) {
		seq_puts(m, "trace_irqoff_latency: ");
		text_show_setting(m, READ_ONCE(sampler_settings.threshold_ns));
		seq_puts(m, "\n\n hardirq:\n");
	} else {
		seq_puts(m, "\n softirq:\n");
	}
	return 0;
}

const struct seq_operations report_trace_latency_ops = {
	.start = trace_latency_start,
	.next = trace_latency_next,
	.stop = nothing_to_stop,
	.show = trace_latency_show,
};

static void *records_start(struct seq_file *m, loff_t *pos)
{
	struct report *report = m->private;

	if (*pos == 0)
		begin(report);

	for (; report->first + *pos < report->end; ++*pos)
		if (recorder_read(report->first + *pos, &report->record))
			return &report->record;
	return NULL;
}

static void *records_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return *pos ? records_start(m, pos) : NULL;
}

static int records_show(struct seq_file *m, void *v)
{
	const struct record *record = v;
	const struct sample *who = &record->end;
	u32 rest_ns;
	u64 s = div_u64_rem(record->end_real_ns, NSEC_PER_SEC, &rest_ns);
	unsigned int i;

	/* When a softirq window is over, its culprit is not there any more. */
	if (record->nr_samples)
		who = &record->samples[0];

	seq_printf(m, "seq=%llu kind=%s cpu=%d end=%llu.%09u", record->seq,
		   kind_names[record->kind], record->cpu, s, rest_ns);
	seq_printf(m, " latency_ns=%llu max_ns=%llu state=%s comm=",
		   record->latency_ns, record->max_ns, state_names[who->state]);
	text_show_comm(m, who->comm);
	seq_printf(m, " pid=%d tgid=%d cgroup=%llu pending=",
		   who->pid, who->tgid, who->cgroup);
	show_pending(m, who);
	seq_puts(m, " stack=");
	frames_show_folded(m, &record->end);
	for (i = 0; i < record->nr_samples; i++) {
		seq_printf(m, " sample=%llu:", record->samples[i].offset_ns);
		frames_show_folded(m, &record->samples[i]);
	}
	seq_putc(m, '\n');
	return 0;
}

const struct seq_operations report_records_ops = {
	.start = records_start,
	.next = records_next,
	.stop = nothing_to_stop,
	.show = records_show,
};
