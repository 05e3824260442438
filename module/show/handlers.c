// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The file handlers: for programs, as key=value; a line for the state, and one for each handler of
 * each CPU. Context: process.
 */
#include <linux/cpumask.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/time64.h>

#include "handlers/handlers.h"
#include "record/sample.h"
#include "show/files.h"
#include "text.h"

/* In the order of enum handler_kind. */
static const char * const kind_names[NR_HANDLER_KINDS] = {
	"irq", "vector", "softirq", "raised", "timer", "hrtimer", "tasklet", "poll",
};

static void handlers_show_name(struct seq_file *m, const struct handler *row)
{
	seq_printf(m, "kind=%s", kind_names[row->kind]);
	if (row->kind == HANDLER_IRQ)
		seq_printf(m, " number=%u", row->number);
	if (row->kind < HANDLER_FUNCTIONS) {
		seq_puts(m, " name=");
		text_show_comm(m, row->kind == HANDLER_IRQ ? row->name : row->id);
	}
	if (row->kind == HANDLER_IRQ || row->kind >= HANDLER_FUNCTIONS) {
		struct sample sample = {
			.at_ns = row->max_end_ns,
			.nr_entries = 1,
			.entries = { (unsigned long)row->id },
		};

		seq_puts(m, " function=");
		symbols_show_folded(m, &sample);
	}
}

static void handlers_show_rows(struct seq_file *m, int cpu, bool functions)
{
	const struct handlers_cpu *c = per_cpu_ptr(handlers_cpus, cpu);
	const struct handler *rows = functions ? c->functions : c->interrupts;
	struct handler row;
	u32 rest_ns;
	int i, last;
	u64 s;

	for (i = 0; i <= HANDLER_ROWS; i++) {
		if (!handlers_read(c, &rows[i], &row))
			continue;
		seq_printf(m, "cpu=%d ", cpu);
		if (i < HANDLER_ROWS)
			handlers_show_name(m, &row);
		else
			seq_printf(m, "kind=other name=%s", functions ? "functions" : "interrupts");
		s = div_u64_rem(ktime_to_ns(ktime_mono_to_real(ns_to_ktime(row.max_end_ns))),
				NSEC_PER_SEC, &rest_ns);
		seq_printf(m, " count=%llu total_ns=%llu max_ns=%llu max_end=%llu.%09u log2_us=",
			   row.count, row.total_ns, row.max_ns, s, rest_ns);
		for (last = HANDLER_BUCKETS - 1; last && !row.buckets[last]; last--)
			;
		for (s = 0; s <= last; s++)
			seq_printf(m, "%s%llu", s ? "," : "", row.buckets[s]);
		seq_putc(m, '\n');
	}
}

static int handlers_show(struct seq_file *m, void *v)
{
	int cpu = *(loff_t *)v;

	mutex_lock(&handlers_mutex);
	symbols_lock();
	if (cpu == cpumask_first(cpu_possible_mask))
		handlers_show_state(m);
	if (handlers_cpus) {
		handlers_show_rows(m, cpu, false);
		handlers_show_rows(m, cpu, true);
	}
	symbols_unlock();
	mutex_unlock(&handlers_mutex);
	return 0;
}

static const struct seq_operations handlers_ops = {
	.start = print_start_cpu,
	.next = print_next_cpu,
	.stop = print_stop,
	.show = handlers_show,
};

int handlers_open(struct file *file)
{
	return seq_open(file, &handlers_ops);
}
