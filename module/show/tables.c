// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Prints latencies as tables, in two files. distribute adds up all CPUs, as trace-irqoff does. The
 * file histogram has tables for each CPU. Context: process.
 */
#include <linux/cpumask.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "record/histogram.h"
#include "settings.h"
#include "show/files.h"

/*
 * Print a table up to the last row with a count; nothing if there is none. Row i begins at
 * @first_ns << i.
 */
static void tables_show(struct seq_file *m, const char *heading, const u64 *counts, int rows,
			u64 first_ns, u32 unit_ns)
{
	static const char stars[] = "****************************************";
	const int width = sizeof(stars) - 1;
	u64 most = 0;
	int i;

	while (rows && !counts[rows - 1])
		rows--;
	if (!rows)
		return;

	for (i = 0; i < rows; i++)
		most = max(most, counts[i]);
	seq_printf(m, "%s%9s%s%10s : count     distribution\n", heading, "",
		   unit_ns == NSEC_PER_USEC ? "usecs" : "msecs", "");
	for (i = 0; i < rows; i++)
		seq_printf(m, "%10llu -> %-10llu : %-8llu |%-*.*s|\n",
			   div_u64(first_ns << i, unit_ns),
			   div_u64(first_ns << (i + 1), unit_ns) - 1, counts[i],
			   width, (int)div64_u64(counts[i] * width, most), stars);
}

static void show_distribute(struct seq_file *m, enum window_kind kind, const char *heading)
{
	u64 period_ns = READ_ONCE(settings.period_ns);
	struct histogram sum = {};
	int cpu;

	for_each_possible_cpu(cpu)
		histogram_read(cpu, kind, &sum);
	tables_show(m, heading, sum.distribute, DISTRIBUTE_BUCKETS, period_ns,
		    period_ns < NSEC_PER_MSEC ? NSEC_PER_USEC : NSEC_PER_MSEC);
}

int tables_show_distribute(struct seq_file *m, void *v)
{
	show_distribute(m, WINDOW_HARDIRQ, "hardirq-off:\n");
	show_distribute(m, WINDOW_SOFTIRQ, "softirq-off:\n");
	show_distribute(m, WINDOW_NOSCHED, "nosched:\n");
	return 0;
}

static int histogram_show(struct seq_file *m, void *v)
{
	int cpu = *(loff_t *)v;
	enum window_kind kind;

	for (kind = 0; kind < NR_WINDOW_KINDS; kind++) {
		struct histogram sum = {};
		u64 count;

		histogram_read(cpu, kind, &sum);
		count = histogram_count(&sum);
		if (!count)
			continue;
		seq_printf(m, "cpu: %d kind: %s count: %llu sum_us: %llu max_us: %llu\n",
			   cpu, print_kind(kind), count,
			   div_u64(sum.sum_ns, NSEC_PER_USEC), div_u64(sum.max_ns, NSEC_PER_USEC));
		/* Bucket 1 begins at 1 us; bucket 0 is printed as 0 -> 0. */
		tables_show(m, "", sum.buckets, HISTOGRAM_BUCKETS, NSEC_PER_USEC / 2,
			    NSEC_PER_USEC);
		seq_putc(m, '\n');
	}
	return 0;
}

static const struct seq_operations histogram_ops = {
	.start = print_start_cpu,
	.next = print_next_cpu,
	.stop = print_stop,
	.show = histogram_show,
};

int tables_open_histogram(struct file *file)
{
	return seq_open(file, &histogram_ops);
}
