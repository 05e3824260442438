// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/* Divides the possible CPUs into groups, once, at load. Context: see group.h. */
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "detect/group.h"
#include "detect/tick.h"

/* Return: a group of this node that has room for one more CPU, or a new group, or NULL. */
static struct group *group_find(struct group *last, int node)
{
	struct group *group = last;

	while (group) {
		if (group->nr_cpus < GROUP_CPUS && cpu_to_node(group->cpus[0]) == node)
			return group;
		group = group->next != last ? group->next : NULL;
	}
	group = kzalloc_node(sizeof(*group), GFP_KERNEL, node);
	if (!group)
		return NULL;
	raw_spin_lock_init(&group->lock);
	group->next = last ? last->next : group;
	if (last)
		last->next = group;
	return group;
}

int group_init(void)
{
	struct group *group = NULL;
	int cpu;

	BUILD_BUG_ON(GROUP_CPUS < 1 || GROUP_CPUS > BITS_PER_LONG);
	for_each_possible_cpu(cpu) {
		struct tick_cpu *c = per_cpu_ptr(&tick_cpus, cpu);

		group = group_find(group, cpu_to_node(cpu));
		if (!group) {
			group_exit();
			return -ENOMEM;
		}
		c->group = group;
		c->position = group->nr_cpus;
		group->cpus[group->nr_cpus++] = cpu;
	}
	return 0;
}

void group_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		kfree(group_of_first(cpu));
}

struct group *group_of_first(int cpu)
{
	const struct tick_cpu *c = per_cpu_ptr(&tick_cpus, cpu);

	return c->position ? NULL : c->group;
}
