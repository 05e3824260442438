/* SPDX-License-Identifier: GPL-2.0 */
/* The flight recorder: the newest windows of the whole machine. */
#ifndef TRACE_IRQOFF_RECORDER_H
#define TRACE_IRQOFF_RECORDER_H

#include <linux/atomic.h>
#include <linux/types.h>

#include "record/sample.h"

/**
 * struct record - one window
 * @tag: which record is in this slot, and whether it is whole (recorder.c)
 * @steal_ns: of this time the hypervisor did not let the CPU run, as far as the
 *	guest was told; may still grow when all else is whole
 * @seq: number of this record since the module was loaded, from 1
 * @kind: hardirq or softirq
 * @cpu: the CPU it happened on
 * @end_real_ns: its end, wall clock
 * @end_mono_ns: its end, CLOCK_MONOTONIC
 * @latency_ns: it lasted at least this long
 * @max_ns: and at most this long; @latency_ns when that is not known
 * @begin_unseen: it had begun before the CPU was monitored, nobody knows when
 * @nr_samples: how many of @samples were taken
 * @samples: looks at the CPU during the window, in order
 * @end: the look at its end
 */
struct record {
	atomic64_t tag;
	u64 steal_ns;
	u64 seq;
	enum window_kind kind;
	int cpu;
	u64 end_real_ns;
	u64 end_mono_ns;
	u64 latency_ns;
	u64 max_ns;
	bool begin_unseen;
	unsigned int nr_samples;
	struct sample samples[WINDOW_SAMPLES];
	struct sample end;
};

/**
 * struct recorder_counts - what became of the records since they were cleared
 * @kept: can be read
 * @overwritten: made room for newer ones
 * @lost: never got a slot, because a slower writer was still busy in it
 */
struct recorder_counts {
	u64 kept;
	u64 overwritten;
	u64 lost;
};

int recorder_init(unsigned int nr_records);
void recorder_exit(void);

/** recorder_size() - Return: number of slots. */
unsigned int recorder_size(void);

/**
 * recorder_begin() - take the next slot for a new record
 *
 * Context: any but NMI, with interrupts off. Wait-free.
 * Return: a slot to fill in and to give to recorder_commit(); all but @tag and
 * @seq is the caller's. NULL when it had to be dropped, which was counted.
 */
struct record *recorder_begin(void);

/** recorder_commit() - show a filled record to readers. Context: as above. */
void recorder_commit(struct record *record);

/**
 * recorder_add_steal() - more stolen time has become known for a whole record
 *
 * Context: as above. Does nothing when the record has been overwritten.
 */
void recorder_add_steal(u64 seq, u64 steal_ns);

/**
 * recorder_range() - which records may be there now
 * @first: the oldest that can still be kept
 * @end: one behind the newest
 */
void recorder_range(u64 *first, u64 *end);

/**
 * recorder_peek() - kind and CPU of a record without a copy of it
 *
 * Return: false when it is not there (any more, or not yet).
 */
bool recorder_peek(u64 seq, enum window_kind *kind, int *cpu);

/**
 * recorder_read() - copy a whole record
 *
 * Return: false when it is not there; @copy is then undefined.
 */
bool recorder_read(u64 seq, struct record *copy);

/** recorder_clear() - hide all records so far. Callers take turns. */
void recorder_clear(void);

void recorder_count(struct recorder_counts *counts);

#endif /* TRACE_IRQOFF_RECORDER_H */
