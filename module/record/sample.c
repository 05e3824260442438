// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Takes samples. An NMI may call these functions at any instruction, so they take no lock, allocate
 * nothing, and read only memory of the current task and of this CPU. Context: see sample.h.
 */
#include <linux/cgroup.h>
#include <linux/interrupt.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include "record/sample.h"
#include "record/stack.h"

static void sample_stack(struct sample *sample, struct pt_regs *regs, struct walk_memory *walk)
{
	unsigned long entries[SAMPLE_DEPTH];
	unsigned int i;

	sample->user = regs && user_mode(regs);
	sample->inserted = false;
	sample->argument = 0;
	sample->nr_entries = 0;
	sample->memory.depth = 0;
	if (sample->user)
		return;
	if (regs) {
		stack_walk(sample, regs, walk);
		sample->argument = regs_get_kernel_argument(regs, 0);
		return;
	}
	sample->nr_entries = stack_trace_save(entries, SAMPLE_DEPTH, 0);
	for (i = 0; i < sample->nr_entries; i++)
		sample->entries[i] = code_of(entries[i]);
}

static u64 sample_cgroup(void)
{
	u64 id = 0;

#ifdef CONFIG_CGROUPS
	rcu_read_lock();
	id = cgroup_id(task_dfl_cgroup(current));
	rcu_read_unlock();
#endif
	return id;
}

/* One HARDIRQ_OFFSET is that of the tick or NMI that takes the sample. */
static enum sample_context sample_interrupted_context(void)
{
	if (hardirq_count() > HARDIRQ_OFFSET)
		return SAMPLE_IN_INTERRUPT;
	if (in_serving_softirq())
		return SAMPLE_IN_SOFTIRQ;
	return sample_idle_task() ? SAMPLE_IN_IDLE : SAMPLE_IN_TASK;
}

void sample_take(struct sample *sample, u64 at_ns, u64 offset_ns,
		 enum sample_state state, struct pt_regs *regs,
		 struct walk_memory *walk)
{
	sample->at_ns = at_ns;
	sample->offset_ns = offset_ns;
	sample->state = state;
	sample->context = sample_interrupted_context();
	sample->cgroup = sample_cgroup();
	sample->pid = task_pid_nr(current);
	sample->tgid = task_tgid_nr(current);
	sample->pending = local_softirq_pending() & ~BIT(HRTIMER_SOFTIRQ);
	/* If the task changes its name meanwhile, the copy is a mix of both names. */
	memcpy(sample->comm, current->comm, sizeof(sample->comm));
	sample->comm[sizeof(sample->comm) - 1] = '\0';
	sample_stack(sample, regs, walk);
}

enum sample_state sample_softirq_state(void)
{
	unsigned long count = softirq_count();

	if (count & SOFTIRQ_OFFSET)
		return STATE_SERVING;
	return count ? STATE_BH_OFF : STATE_KSOFTIRQD;
}

enum sample_state sample_nosched_state(void)
{
	return preempt_count() & PREEMPT_MASK ? STATE_PREEMPT_OFF : STATE_NO_RESCHED;
}
