/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Makes records of windows that have ended (record.c), and keeps the newest (recorder.c). */
#ifndef TRACE_IRQOFF_RECORD_H
#define TRACE_IRQOFF_RECORD_H

#include <linux/atomic.h>
#include <linux/kernel_stat.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "record/sample.h"

struct window;

/** record_steal() - Return: the stolen ns that the kernel has accounted to a CPU. Context: any. */
static inline u64 record_steal(int cpu)
{
	return READ_ONCE(kcpustat_cpu(cpu).cpustat[CPUTIME_STEAL]);
}

/* This CPU has made records since its last tick: the next tick calls record_settle(). */
DECLARE_PER_CPU(bool, record_unsettled);

/**
 * record_settle() - add the stolen time that the kernel has accounted since the records were made
 * @late: the tick is late: do not add the time, which may belong to the next window
 *
 * The kernel accounts stolen time on its own tick, which may come after ours. Context: a tick.
 */
void record_settle(bool late);

/* How a window has ended */
struct window_end {
	enum window_kind kind;
	int cpu;	/* the CPU of the window; if it is not this CPU, a watcher saw the end */
	enum sample_state state;	/* of a hardirq window, or if a check has ended it */
	bool begin_unseen;		/* see struct window */
	unsigned int nr_samples;	/* how many are kept */
	u64 end_ns;		/* CLOCK_MONOTONIC */
	u64 latency_ns;		/* lower bound of its length */
	u64 max_ns;		/* upper bound, unless the begin was unseen */
	u64 steal_ns;		/* record_steal() at its begin */
	u64 paused_ns;		/* see struct window */
	const struct interrupts *interrupts;	/* taken at its begin; NULL: not known */
};

/**
 * window_end() - count a window that has ended, and make a record if it has reached the threshold
 * @window: is WINDOW_ENDING, which ends now; NULL: no check has opened the window in time
 * @end: NULL: neither count nor record it
 *
 * The record has no stack at the end unless this CPU saw the end. Context: hardirq, or softirq with
 * interrupts off. Return: whether the window has reached the threshold.
 */
bool window_end(struct window *window, const struct window_end *end);

/** window_drop() - close a window without a record, if one is open. Context: any. */
void window_drop(struct window *window);

/* Windows of one kind on all CPUs since load */
struct record_counts {
	u64 windows;	/* their number; their records may be kept, overwritten or lost */
	u64 latency_ns;	/* sum of their lower bounds */
	/* of these, the windows of which the host took at least half */
	u64 stolen;
	u64 stolen_latency_ns;	/* sum of their lower bounds */
	u64 paused;		/* windows with the state STATE_PAUSED or STATE_IRQ_ON */
	u64 paused_latency_ns;	/* sum of their lower bounds */
};

/** record_count() - count the windows of a kind. Context: any. */
void record_count(enum window_kind kind, struct record_counts *sum);

/* The record of one window */
struct record {
	atomic64_t tag;				/* state of this slot (recorder.c) */
	u64 steal_ns;				/* stolen time in the window; may still grow */
	u64 paused_ns;				/* lower bound of the pauses, by NMIs */
	u64 seq;				/* number of the record since load, from 1 */
	enum window_kind kind;
	int cpu;
	u64 end_real_ns;			/* end of the window, CLOCK_REALTIME */
	u64 end_mono_ns;			/* end of the window, CLOCK_MONOTONIC */
	u64 latency_ns;				/* lower bound of its length */
	u64 max_ns;				/* upper bound; @latency_ns if it is not known */
	bool begin_unseen;			/* the window began before the CPU was monitored */
	bool has_interrupts;			/* @interrupts is valid */
	struct interrupts interrupts;		/* numbers in the window */
	unsigned int nr_samples;
	struct sample samples[WINDOW_SAMPLES];	/* oldest first */
	struct sample end;			/* at the end of the window */
};

/* Records since they were cleared. */
struct recorder_counts {
	unsigned int slots;	/* room for this many */
	u64 kept;		/* can be read */
	u64 overwritten;	/* by newer records */
	u64 lost;		/* got no slot, as a slower writer was still busy there */
};

/* The functions below: context process, unless said otherwise. */

/** recorder_init() - allocate the slots. Return: 0, or -ENOMEM. */
int recorder_init(unsigned int nr_records);
void recorder_exit(void);

/**
 * recorder_begin() - take a slot for a new record
 *
 * The caller fills in all but @tag and @seq, and calls recorder_commit().
 * Context: any but NMI, with interrupts off. Return: NULL if the record is lost.
 */
struct record *recorder_begin(void);

/** recorder_commit() - the record is complete. Context: as recorder_begin(). */
void recorder_commit(struct record *record);

/** recorder_add_steal() - add stolen time, unless overwritten. Context: as recorder_begin(). */
void recorder_add_steal(u64 seq, u64 steal_ns);

/** recorder_range() - the records that may be there now: from @first on, before @end >= @first. */
void recorder_range(u64 *first, u64 *end);

/**
 * recorder_next() - find the first record from @seq on
 *
 * Stops at a record that is, or may be, being written: a reader that skipped it would never see it.
 *
 * Return: its number; 0: none, or one is being written.
 */
u64 recorder_next(u64 seq);

/** recorder_read() - copy a record. Return: false if it is not there; then @copy is undefined. */
bool recorder_read(u64 seq, struct record *copy);

/** recorder_clear() - hide all records made so far. One caller at a time. */
void recorder_clear(void);

/** recorder_count() - count the records since they were cleared. Reads the tags of all slots. */
void recorder_count(struct recorder_counts *counts);

#endif /* TRACE_IRQOFF_RECORD_H */
