/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/*
 * The time that each CPU spends in handlers of interrupts and softirqs, and in the functions that
 * these call. probes.c sees handlers begin and end, count.c counts. Context: process, if not said.
 */
#ifndef TRACE_IRQOFF_HANDLERS_H
#define TRACE_IRQOFF_HANDLERS_H

#include <linux/build_bug.h>
#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/seqlock.h>
#include <linux/types.h>

struct seq_file;

enum handler_kind {
	HANDLER_IRQ,		/* an interrupt that has a number */
	HANDLER_VECTOR,		/* another interrupt: local timer, IPIs */
	HANDLER_SOFTIRQ,
	HANDLER_RAISED,		/* from the raise of a softirq to the begin of its handler */
	/* Functions that run in the handlers above. */
	HANDLER_TIMER,
	HANDLER_HRTIMER,
	HANDLER_TASKLET,
	HANDLER_POLL,		/* of NAPI */
	NR_HANDLER_KINDS
};

#define HANDLER_FUNCTIONS	HANDLER_TIMER	/* the first kind of functions */
#define HANDLER_BUCKETS		20

/*
 * A handler on one CPU. Times are without interrupts and softirqs on top, except for raises. On
 * PREEMPT_RT, they include tasks that preempted it; since 6.18, softirqs of several tasks may
 * overlap, and their times are approximate. 8-byte words only: see handlers_read().
 */
struct handler {
	const void *id;		/* function; or name, for vectors, softirqs, raises; NULL: unused */
	u32 number;		/* of an interrupt, softirq or raise */
	u32 kind;		/* enum handler_kind */
	char name[32];		/* of an interrupt, unescaped */
	u64 count;
	u64 total_ns;
	u64 max_ns;		/* the longest one */
	u64 max_end_ns;		/* its end, CLOCK_MONOTONIC */
	/* Counts by length. Bucket 0 is below 1 us; i is from 2^(i-1) us; the last one is open. */
	u64 buckets[HANDLER_BUCKETS];
};

/* A handler that has begun. */
struct handler_frame {
	const void *key;	/* see handlers_begin() */
	const void *id;
	u32 number;
	u32 kind;
	u64 begin_ns;		/* sched_clock() */
	u64 inner_ns;		/* @inner_ns of the CPU at the begin */
	/* The same for the next poll. It begins with the softirq, or after the last poll. */
	u64 poll_ns, poll_inner_ns;
};

#define HANDLER_ROWS	64
#define HANDLER_DEPTH	16

struct handlers_cpu {
	/* The last row of each table is the sum of the handlers that lost their row. */
	struct handler interrupts[HANDLER_ROWS + 1];	/* and softirqs, and raises */
	struct handler functions[HANDLER_ROWS + 1];
	seqcount_t replaced;		/* odd while a row gets another handler */
	/* Only this CPU uses the rest, with interrupts off. */
	int depth;			/* frames in use */
	/* Time of all interrupts and softirqs that have ended. A frame subtracts the increase. */
	u64 inner_ns;
	u64 raised_ns[NR_SOFTIRQS];	/* 0: not raised */
	struct handler_frame frames[HANDLER_DEPTH];	/* the last to begin is last */
};

static_assert(sizeof(struct handlers_cpu) <= 32768);	/* the limit of alloc_percpu() */

/* NULL: not allocated. Freed with the mutex only. */
extern struct handlers_cpu __percpu *handlers_cpus;
extern struct mutex handlers_mutex;
extern bool handlers_counting;	/* on all CPUs. While set, the probes are registered. */
extern atomic_t handlers_lost;	/* dropped: too many had begun, and not ended */

/**
 * handlers_counting_cpu() - Return: the state of this CPU; NULL: do not count
 *
 * Context: interrupts off, as the next four functions.
 */
struct handlers_cpu *handlers_counting_cpu(void);

/**
 * handlers_begin() - a handler of this CPU begins
 * @key: finds the handler in handlers_end(): unique among those of this kind that run now
 * @id: as in struct handler, as @number
 */
void handlers_begin(struct handlers_cpu *c, enum handler_kind kind, const void *key, const void *id,
		    u32 number);

/** handlers_end() - it ends. Ignored if its begin was not seen. @name: of an interrupt, or NULL */
void handlers_end(struct handlers_cpu *c, enum handler_kind kind, const void *key,
		  const char *name);

/** handlers_raise() - softirq @nr of this CPU will be raised. */
void handlers_raise(struct handlers_cpu *c, unsigned int nr);

/** handlers_polled() - NAPI has called @poll. */
void handlers_polled(struct handlers_cpu *c, const void *poll);

/** handlers_read() - copy a row of @c. Return: false if it is unused, or changes all the time. */
bool handlers_read(const struct handlers_cpu *c, const struct handler *row, struct handler *copy);

/** handlers_show_state() - print the first line of the file. The caller holds the mutex. */
void handlers_show_state(struct seq_file *m);

/** handlers_show_missing() - print the tracepoints that have no probe, or a minus sign. */
void handlers_show_missing(struct seq_file *m);

/**
 * handlers_switch() - start or stop to count
 * @on: true: start from zero, unless it counts already; false: stop, or, if it has stopped, free
 *	the tables
 *
 * A work item starts and stops. Return: 0; -EBUSY: it has not run since the last call; -ENOMEM.
 */
int handlers_switch(bool on);

void handlers_init(void);

/** handlers_exit() - stop, and free the tables. Waits for all CPUs. */
void handlers_exit(void);

#endif /* TRACE_IRQOFF_HANDLERS_H */
