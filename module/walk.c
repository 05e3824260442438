// SPDX-License-Identifier: GPL-2.0
/*
 * What files with something to print for each CPU have in common. A position is a CPU.
 *
 * Context: process.
 */
#include <linux/cpumask.h>
#include <linux/seq_file.h>

#include "walk.h"

void *walk_cpus_start(struct seq_file *m, loff_t *pos)
{
	unsigned int cpu;

	/* Any position may be asked for; a CPU's number is an int. */
	if (*pos >= nr_cpu_ids)
		return NULL;

	cpu = cpumask_next(*pos - 1, cpu_possible_mask);
	if (cpu >= nr_cpu_ids)
		return NULL;
	*pos = cpu;
	return pos;
}

void *walk_cpus_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return walk_cpus_start(m, pos);
}

void walk_stop(struct seq_file *m, void *v)
{
}
