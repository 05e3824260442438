// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Prints a record for people (in trace-irqoff's layout, with more fields) or for programs. Context:
 * process; print_record_line() also in a panic.
 */
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/interrupt.h>
#include <linux/math64.h>
#include <linux/seq_file.h>

#include "record/record.h"
#include "show/files.h"
#include "text.h"

static const char * const kind_names[NR_WINDOW_KINDS] = {
	[WINDOW_HARDIRQ] = "hardirq",
	[WINDOW_SOFTIRQ] = "softirq",
	[WINDOW_NOSCHED] = "nosched",
};

static const char * const state_names[NR_SAMPLE_STATES] = {
	[STATE_IRQ_OFF] = "irq-off",
	[STATE_IRQ_ON] = "irq-on",
	[STATE_PAUSED] = "paused",
	[STATE_SERVING] = "serving",
	[STATE_BH_OFF] = "bh-off",
	[STATE_KSOFTIRQD] = "ksoftirqd",
	[STATE_PREEMPT_OFF] = "preempt-off",
	[STATE_NO_RESCHED] = "no-resched",
	[STATE_UNSAMPLED] = "unsampled",
	[STATE_UNKNOWN] = "unknown",
};

static const char * const context_names[NR_SAMPLE_CONTEXTS] = {
	[SAMPLE_IN_TASK] = "task",
	[SAMPLE_IN_IDLE] = "idle",
	[SAMPLE_IN_SOFTIRQ] = "softirq",
	[SAMPLE_IN_INTERRUPT] = "interrupt",
};

void *print_start_cpu(struct seq_file *m, loff_t *pos)
{
	*pos = cpumask_next(*pos - 1, cpu_possible_mask);
	return *pos < nr_cpu_ids ? pos : NULL;
}

void *print_next_cpu(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return print_start_cpu(m, pos);
}

void print_stop(struct seq_file *m, void *v)
{
}

const char *print_kind(enum window_kind kind)
{
	return kind_names[kind];
}

/* "NET_RX,TIMER", with @counts "NET_RX:12,TIMER:3", or "-" */
static void print_softirqs(struct seq_file *m, unsigned long mask, const unsigned int *counts)
{
	const char *comma = "";
	int i;

	for (i = 0; i < NR_SOFTIRQS; i++) {
		if (!(mask & BIT(i)) || (counts && !counts[i]))
			continue;
		seq_printf(m, "%s%s", comma, text_softirqs[i]);
		if (counts)
			seq_printf(m, ":%u", counts[i]);
		comma = ",";
	}
	if (!*comma)
		seq_putc(m, '-');
}

static void print_line_begin(struct seq_file *m, const struct sample *sample)
{
	seq_puts(m, "     COMMAND: ");
	text_show_comm(m, sample->comm);
	seq_printf(m, " PID: %d LATENCY: ", sample->pid);
}

static void print_line_end(struct seq_file *m, u64 real_ns, const struct sample *sample)
{
	seq_puts(m, " TIME: ");
	text_show_time(m, real_ns);
	seq_printf(m, " CGROUP: %llu TGID: %d\n", sample->cgroup, sample->tgid);
}

void print_record(struct seq_file *m, const struct record *record)
{
	unsigned int i;

	/* As in trace-irqoff, each sample has a block of its own, unless interrupts were off. */
	for (i = 0; record->kind != WINDOW_HARDIRQ && i < record->nr_samples; i++) {
		const struct sample *sample = &record->samples[i];

		print_line_begin(m, sample);
		text_show_latency(m, sample->offset_ns, false, "+ms");
		seq_printf(m, " STATE: %s PENDING: ", state_names[sample->state]);
		print_softirqs(m, sample->pending, NULL);
		print_line_end(m, record->end_real_ns - (record->end_mono_ns - sample->at_ns),
			       sample);
		symbols_show(m, sample);
		seq_putc(m, '\n');
	}

	print_line_begin(m, &record->end);
	if (record->begin_unseen) {
		text_show_latency(m, record->latency_ns, false, "+ms BEGIN: unseen");
	} else {
		text_show_latency(m, record->latency_ns, false, "ms MAX: ");
		text_show_latency(m, record->max_ns, true, "ms");
	}
	if (record->steal_ns) {
		seq_puts(m, " STEAL: ");
		text_show_latency(m, record->steal_ns, false, "ms");
	}
	if (record->paused_ns) {
		seq_puts(m, " PAUSED: ");
		text_show_latency(m, record->paused_ns, false, "ms");
	}
	if (record->has_interrupts) {
		seq_printf(m, " IRQS: %lu SOFTIRQS: ", record->interrupts.irqs);
		print_softirqs(m, ~BIT(HRTIMER_SOFTIRQ), record->interrupts.softirqs);
	}
	print_line_end(m, record->end_real_ns, &record->end);
	symbols_show(m, &record->end);
	for (i = 0; record->kind == WINDOW_HARDIRQ && i < record->nr_samples; i++) {
		const struct sample *sample = &record->samples[i];

		seq_puts(m, "     AT: +");
		text_show_latency(m, sample->offset_ns, false, "ms COMMAND: ");
		text_show_comm(m, sample->comm);
		seq_printf(m, " PID: %d CONTEXT: %s\n", sample->pid,
			   context_names[sample->context]);
		symbols_show(m, sample);
	}
	seq_putc(m, '\n');
}

void print_record_line(struct seq_file *m, const struct record *record)
{
	const struct sample *culprit = &record->end, *sample;
	static char lock[KSYM_SYMBOL_LEN];	/* see symbols_lock() */
	u32 rest_ns;
	u64 s = div_u64_rem(record->end_real_ns, NSEC_PER_SEC, &rest_ns);

	/* At the end of other windows the culprit has gone: the first sample shows it. */
	if (record->kind != WINDOW_HARDIRQ && record->nr_samples &&
	    record->end.state != STATE_PAUSED)
		culprit = &record->samples[0];

	seq_printf(m, "seq=%llu kind=%s cpu=%d end=%llu.%09u", record->seq,
		   print_kind(record->kind), record->cpu, s, rest_ns);
	seq_printf(m, " latency_ns=%llu max_ns=%llu steal_ns=%llu",
		   record->latency_ns, record->max_ns, record->steal_ns);
	if (record->paused_ns)
		seq_printf(m, " paused_ns=%llu", record->paused_ns);
	if (record->begin_unseen)
		seq_puts(m, " begin=unseen");
	if (record->has_interrupts) {
		seq_printf(m, " irqs=%lu softirqs=", record->interrupts.irqs);
		print_softirqs(m, ~BIT(HRTIMER_SOFTIRQ), record->interrupts.softirqs);
	}
	seq_printf(m, " state=%s comm=", state_names[culprit->state]);
	text_show_comm(m, culprit->comm);
	seq_printf(m, " pid=%d tgid=%d cgroup=%llu pending=",
		   culprit->pid, culprit->tgid, culprit->cgroup);
	print_softirqs(m, culprit->pending, NULL);
	seq_puts(m, " stack=");
	symbols_show_folded(m, &record->end);
	for (sample = record->samples; sample < record->samples + record->nr_samples; sample++) {
		seq_printf(m, " sample=%llu:", sample->offset_ns);
		symbols_show_folded(m, sample);
		seq_printf(m, " in=%s,%s,%d,%d,%llu,", context_names[sample->context],
			   state_names[sample->state], sample->pid, sample->tgid, sample->cgroup);
		/* A name may have commas, but no blanks. */
		text_show_comm(m, sample->comm);
		seq_puts(m, " moved=");
		went_on_show(m, record->samples, sample - record->samples);
		if (symbols_find_lock(sample, lock))
			seq_printf(m, " lock=%s", lock);
	}
	seq_putc(m, '\n');
}
