/* SPDX-License-Identifier: GPL-2.0 */
/* One look at a CPU: which task, in which state, at which place in the kernel. */
#ifndef TRACE_IRQOFF_SAMPLE_H
#define TRACE_IRQOFF_SAMPLE_H

#include <linux/compiler.h>
#include <linux/sched.h>
#include <linux/types.h>

#define SAMPLE_DEPTH	32	/* frames kept */
#define WINDOW_SAMPLES	4	/* looks into a window, at most */

struct pt_regs;

enum window_kind {
	WINDOW_HARDIRQ,		/* the CPU could not take its timer interrupt */
	WINDOW_SOFTIRQ,		/* the CPU did not run its softirqs */
	NR_WINDOW_KINDS
};

/* What kept the CPU from doing its work, as far as it can be told. */
enum sample_state {
	STATE_IRQ_OFF,		/* interrupts were off */
	STATE_SERVING,		/* it was inside of a softirq handler */
	STATE_BH_OFF,		/* softirqs were disabled */
	STATE_KSOFTIRQD,	/* softirqs had been left to ksoftirqd */
	STATE_OVER,		/* nothing any more: the window is over */
	NR_SAMPLE_STATES
};

/**
 * struct sample - one look at a CPU
 * @at_ns: when, CLOCK_MONOTONIC
 * @offset_ns: how far into the window, its lower bound at that time
 * @cgroup: inode number of the task's cgroup v2 directory, 0 without cgroups
 * @pid: thread, in the initial pid namespace
 * @tgid: process
 * @pending: mask of pending softirq vectors, without the one our timer raises
 * @state: enum sample_state
 * @user: the task was in user space, there are no frames to see
 * @nr_entries: frames in @entries
 * @comm: the task's name as it is, unescaped
 * @entries: innermost first: where it was, then return addresses. All are return
 *	addresses in a sample that no interrupt took
 */
struct sample {
	u64 at_ns;
	u64 offset_ns;
	u64 cgroup;
	pid_t pid;
	pid_t tgid;
	u32 pending;
	u8 state;
	bool user;
	u8 nr_entries;
	char comm[TASK_COMM_LEN];
	unsigned long entries[SAMPLE_DEPTH];
};

/** sample_idle_task() - Return: whether that is the current task. Context: hardirq. */
static __always_inline bool sample_idle_task(void)
{
	/* The task may be changing other bits of its flags, as in an exec. */
	return data_race(is_idle_task(current));
}

/**
 * sample_is_return() - Return: whether a frame is a return address
 *
 * It may already belong to the next function, when the call was the last thing in its own.
 * Only the first frame of a stack that an interrupt took is the instruction itself.
 */
static inline bool sample_is_return(const struct sample *sample, unsigned int i)
{
	return i > 0 || sample->state == STATE_OVER;
}

/**
 * sample_take() - look at the context that was interrupted on this CPU
 * @sample: is filled in
 * @at_ns: now, CLOCK_MONOTONIC
 * @offset_ns: how long the window has lasted
 * @state: what it is
 * @regs: registers of the interrupted context: the stack begins there. NULL
 *	outside of an interrupt: the stack begins at the caller.
 *
 * Context: any with interrupts off, NMI too. Takes no lock, allocates nothing.
 */
void sample_take(struct sample *sample, u64 at_ns, u64 offset_ns,
		 enum sample_state state, struct pt_regs *regs);

/**
 * sample_softirq_state() - what keeps pending softirqs from running
 *
 * Context: hardirq. Return: the state of the context that was interrupted.
 */
enum sample_state sample_softirq_state(void);

#endif /* TRACE_IRQOFF_SAMPLE_H */
