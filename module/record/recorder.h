/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* The recorder: the newest records of the machine. Context: process, unless said otherwise. */
#ifndef TRACE_IRQOFF_RECORDER_H
#define TRACE_IRQOFF_RECORDER_H

#include <linux/atomic.h>
#include <linux/types.h>

#include "record/sample.h"

/* One window */
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

#endif /* TRACE_IRQOFF_RECORDER_H */
