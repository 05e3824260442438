/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* A sample: what a CPU did at one time; and the number of its interrupts and softirqs. */
#ifndef TRACE_IRQOFF_SAMPLE_H
#define TRACE_IRQOFF_SAMPLE_H

#include <linux/interrupt.h>
#include <linux/kernel_stat.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/types.h>

#define SAMPLE_DEPTH	32	/* frames */
#define WINDOW_SAMPLES	8	/* kept of each window, at most */

struct pt_regs;

/* Address of kernel code; 0: another address. On x86, all code is in the uppermost 2 GB. */
#ifdef CONFIG_X86_64
#define code_addr	s32
#else
#define code_addr	unsigned long
#endif

static inline code_addr code_of(unsigned long addr)
{
	return (code_addr)addr == addr ? addr : 0;
}

enum window_kind {
	WINDOW_HARDIRQ,		/* the CPU could not take its timer interrupt */
	WINDOW_SOFTIRQ,		/* the CPU did not run its softirqs */
	WINDOW_NOSCHED,		/* kernel code kept the CPU from a task that should run */
	NR_WINDOW_KINDS
};

enum sample_state {
	STATE_IRQ_OFF,		/* interrupts were off */
	STATE_IRQ_ON,		/* interrupts were on, but no timer interrupt came */
	STATE_PAUSED,		/* the CPU executed nothing: see PAUSED_NS */
	STATE_SERVING,		/* a softirq handler ran */
	STATE_BH_OFF,		/* softirqs were disabled */
	STATE_KSOFTIRQD,	/* softirqs were left to ksoftirqd */
	STATE_PREEMPT_OFF,	/* preemption was disabled */
	STATE_NO_RESCHED,	/* kernel code did not call cond_resched() */
	STATE_UNSAMPLED,	/* no NMI sampled this window of an idle CPU */
	STATE_UNKNOWN,		/* at the end of a window, or without a sample */
	NR_SAMPLE_STATES
};

enum sample_context {
	SAMPLE_IN_TASK,
	SAMPLE_IN_IDLE,
	SAMPLE_IN_SOFTIRQ,	/* a softirq handler, on top of the task */
	SAMPLE_IN_INTERRUPT,	/* an interrupt handler, on top of the task */
	NR_SAMPLE_CONTEXTS
};

/*
 * The contents of a stack, as hashes: they tell what has changed between two samples (went_on.c).
 * Frames are numbered from the outside; 0 is the outermost one. x86 only.
 */
#define WALK_FRAMES	64	/* the contents of a deeper stack are not known */
#define WALK_WORDS	1024	/* read for one sample, at most */
#define MEMORY_FRAMES	16	/* kept of each sample, the innermost ones */
#define MEMORY_STEP	8	/* in a deeper stack, the first kept number is a multiple of this */
#define NR_SAVED	6	/* registers that a function preserves for its caller */

/* The contents of one frame. A hash is never 0. */
struct frame_memory {
	/*
	 * The words below the return address, the nearest first, where a function has saved its
	 * caller's registers; 0: the frame is smaller. In a frame of interrupt entry code: the
	 * interrupted registers.
	 */
	u16 saved[NR_SAVED];
	u16 others;		/* all other words */
};

/* The contents of a stack. Registers are in the order of struct pt_regs: r15 to r12, rbp, rbx. */
struct stack_memory {
	u8 depth;		/* number of frames; 0: the contents are not known */
	u8 first;		/* number of the outermost frame in @frames */
	u16 interrupts;		/* mask of @frames: interrupt entry code */
	/* hash of all frames outside of @first, and outside of @first + MEMORY_STEP; 0: none */
	u16 outer[2];
	u16 regs[NR_SAVED];	/* registers of the innermost function */
	u16 other_regs;		/* all others */
	struct frame_memory frames[MEMORY_FRAMES];	/* outermost first */
};

/* Memory for a walk */
struct walk_memory {
	unsigned int words_left;	/* that may still be read */
	bool failed;			/* some contents are not known */
	struct walk_frame {
		u32 ip;			/* low half of the address */
		bool interrupt;
		struct frame_memory memory;
	} frames[WALK_FRAMES];		/* innermost first */
};

/* Task, state and stack of a CPU at one time */
struct sample {
	u64 at_ns;		/* CLOCK_MONOTONIC */
	u64 offset_ns;		/* lower bound of the window's length at that time */
	u64 cgroup;		/* inode number of the task's cgroup v2 directory; 0: none */
	pid_t pid;		/* thread, in the initial pid namespace */
	pid_t tgid;		/* process */
	u32 pending;		/* mask of softirqs, without HRTIMER: our timer raises it */
	u8 state;		/* enum sample_state */
	u8 context;		/* enum sample_context; not for STATE_UNKNOWN */
	bool user;		/* the task was in user space: there are no frames */
	bool inserted;		/* stack_walk() inserted frame 2: see stack_is_caller() */
	u8 nr_entries;		/* number of frames */
	char comm[TASK_COMM_LEN];	/* the task's name, unescaped */
	unsigned long argument;	/* register of a first argument: in a slow path, the lock */
	/* innermost first: the interrupted instruction (unless STATE_UNKNOWN), return addresses */
	code_addr entries[SAMPLE_DEPTH];
	struct stack_memory memory;
};

/* Numbers of interrupts and softirqs */
struct interrupts {
	unsigned long irqs;	/* those with a number in /proc/interrupts; on arm64 IPIs, too */
	unsigned int softirqs[NR_SOFTIRQS];	/* of each vector */
};

/** interrupts_read() - read what this CPU has taken since boot. Context: any, interrupts off. */
static inline void interrupts_read(struct interrupts *interrupts)
{
	const struct kernel_stat *stat = this_cpu_ptr(&kstat);

	interrupts->irqs = stat->irqs_sum;
	memcpy(interrupts->softirqs, stat->softirqs, sizeof(interrupts->softirqs));
}

/** sample_idle_task() - Return: whether the idle task is current. Context: hardirq. */
static __always_inline bool sample_idle_task(void)
{
	/* An exec may change other bits of the task's flags meanwhile. */
	return data_race(is_idle_task(current));
}

/**
 * sample_take() - sample this CPU
 * @sample: is filled in
 * @at_ns: now, CLOCK_MONOTONIC
 * @offset_ns: length of the window so far
 * @state: what holds off interrupts or softirqs
 * @regs: of the interrupted context, where the stack begins; NULL: the stack begins at the caller
 * @walk: memory for the walk of the stack; NULL: the contents of the stack are not read
 *
 * Context: any with interrupts off, NMI too.
 */
void sample_take(struct sample *sample, u64 at_ns, u64 offset_ns,
		 enum sample_state state, struct pt_regs *regs,
		 struct walk_memory *walk);

/** sample_softirq_state() - Return: what holds off softirqs. Context: hardirq or NMI. */
enum sample_state sample_softirq_state(void);

/** sample_nosched_state() - Return: what keeps a task from the CPU. Context: hardirq. */
enum sample_state sample_nosched_state(void);

#endif /* TRACE_IRQOFF_SAMPLE_H */
