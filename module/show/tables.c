// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The files distribute, the sum of all CPUs as in trace-irqoff, and histogram, a table for each CPU
 * and kind.
 *
 * Context: process.
 */
#include <linux/cpumask.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/seq_file.h>
#include <linux/time64.h>

#include "record/histogram.h"
#include "settings.h"
#include "show/files.h"

#define BAR_WIDTH	40	/* columns */

static void show_row(struct seq_file *m, u64 from, u64 to, u64 count, u64 most)
{
	static const char stars[] = "****************************************";

	seq_printf(m, "%10llu -> %-10llu : %-8llu |%-*.*s|\n", from, to, count,
		   BAR_WIDTH, (int)div64_u64(count * BAR_WIDTH, most), stars);
}

static void show_heading(struct seq_file *m, const char *unit)
{
	seq_printf(m, "%*s%s%*s : %-9s %s\n", 9, "", unit, 10, "", "count", "distribution");
}

/* Return: number of rows up to the last one with a count. */
static int count_rows(const u64 *counts, int nr, u64 *most)
{
	int rows = 0, i;

	*most = 0;
	for (i = 0; i < nr; i++) {
		*most = max(*most, counts[i]);
		if (counts[i])
			rows = i + 1;
	}
	return rows;
}

static void show_distribute(struct seq_file *m, enum window_kind kind, const char *heading)
{
	u64 period_ns = READ_ONCE(settings.period_ns);
	bool usecs = period_ns < NSEC_PER_MSEC;
	u64 unit_ns = usecs ? NSEC_PER_USEC : NSEC_PER_MSEC;
	struct histogram sum = {};
	int cpu, rows, i;
	u64 most;

	for_each_possible_cpu(cpu)
		histogram_read(cpu, kind, &sum);

	rows = count_rows(sum.distribute, DISTRIBUTE_BUCKETS, &most);
	if (!rows)
		return;

	seq_printf(m, "%s:\n", heading);
	show_heading(m, usecs ? "usecs" : "msecs");
	for (i = 0; i < rows; i++)
		show_row(m, div64_u64(period_ns << i, unit_ns),
			 div64_u64(period_ns << (i + 1), unit_ns) - 1, sum.distribute[i], most);
}

int tables_show_distribute(struct seq_file *m, void *v)
{
	show_distribute(m, WINDOW_HARDIRQ, "hardirq-off");
	show_distribute(m, WINDOW_SOFTIRQ, "softirq-off");
	return 0;
}

static void show_histogram(struct seq_file *m, int cpu, enum window_kind kind, const char *name)
{
	struct histogram sum = {};
	int rows, i;
	u64 most;

	histogram_read(cpu, kind, &sum);
	rows = count_rows(sum.buckets, HISTOGRAM_BUCKETS, &most);
	if (!rows)
		return;

	seq_printf(m, "cpu: %d kind: %s count: %llu sum_us: %llu max_us: %llu\n",
		   cpu, name, histogram_count(&sum), div_u64(sum.sum_ns, NSEC_PER_USEC),
		   div_u64(sum.max_ns, NSEC_PER_USEC));
	show_heading(m, "usecs");
	for (i = 0; i < rows; i++)
		show_row(m, i ? BIT_ULL(i - 1) : 0, BIT_ULL(i) - 1, sum.buckets[i], most);
	seq_putc(m, '\n');
}

static int histogram_show(struct seq_file *m, void *v)
{
	int cpu = *(loff_t *)v;

	show_histogram(m, cpu, WINDOW_HARDIRQ, "hardirq");
	show_histogram(m, cpu, WINDOW_SOFTIRQ, "softirq");
	return 0;
}

/* A position is a CPU. */
static void *histogram_start(struct seq_file *m, loff_t *pos)
{
	unsigned int cpu = cpumask_next(*pos - 1, cpu_possible_mask);

	if (cpu >= nr_cpu_ids)
		return NULL;
	*pos = cpu;
	return pos;
}

static void *histogram_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return histogram_start(m, pos);
}

static void histogram_stop(struct seq_file *m, void *v)
{
}

const struct seq_operations tables_histogram_ops = {
	.start = histogram_start,
	.next = histogram_next,
	.stop = histogram_stop,
	.show = histogram_show,
};
