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

/*
 * stack_trace_save() starts here and unwinds through the interrupt's frame. So one of its entries
 * is the interrupted instruction: leave out the entries before it.
 */
static void sample_stack(struct sample *sample, struct pt_regs *regs)
{
	unsigned long entries[SAMPLE_DEPTH + STACK_HEADROOM];
	unsigned int nr, first = 0, callers;

	sample->user = regs && user_mode(regs);
	sample->inserted = false;
	sample->nr_entries = 0;
	if (sample->user)
		return;

	nr = stack_trace_save(entries, ARRAY_SIZE(entries), 0);
	if (regs) {
		while (first < nr && entries[first] != instruction_pointer(regs))
			first++;
		callers = min(first + 1, nr);
		sample->nr_entries = stack_mend(regs, entries + callers, nr - callers,
						sample->entries, SAMPLE_DEPTH, &sample->inserted);
		if (sample->nr_entries)
			return;
	}

	/* While the function tracer changes code, the unwinder may not find this instruction. */
	if (regs && first == nr) {
		sample->entries[0] = instruction_pointer(regs);
		sample->nr_entries = 1;
		return;
	}
	nr = min_t(unsigned int, nr - first, SAMPLE_DEPTH);
	memcpy(sample->entries, entries + first, nr * sizeof(*entries));
	sample->nr_entries = nr;
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
		 enum sample_state state, struct pt_regs *regs)
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
	sample_stack(sample, regs);
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
