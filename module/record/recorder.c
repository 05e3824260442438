// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The recorder: a ring of fixed slots. Any CPU writes to it in hardirq or softirq, while other CPUs
 * write and read.
 *
 * A record's sequence number comes from one counter, and selects the slot. The slot's tag is
 *
 *	0		no record yet
 *	4 * seq		record seq is complete
 *	4 * seq + 1	record seq is being written
 *	4 * seq + 2	record seq is complete; stolen time is being added
 *
 * A writer takes a slot by a cmpxchg from a complete record. If a slower writer is still busy
 * there, one round later, the new record is lost, which is counted. A
 * reader uses its copy of a slot if the tag was that of a complete record before and after.
 *
 * To clear the records, the number of the oldest record to show moves on. No slot is written.
 *
 * Context: see recorder.h; process where nothing is said.
 */
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "record/recorder.h"

#define TAG_WRITING	1
#define TAG_ADDING	2
#define TAG_BUSY	(TAG_WRITING | TAG_ADDING)

static struct record *slots;
static unsigned int nr_slots;
static atomic64_t last_seq;	/* the newest number drawn */
static atomic64_t nr_lost;	/* since load */

/* Values of the two above when the records were cleared. */
static u64 cleared_seq;
static u64 cleared_lost;

static s64 complete_tag(u64 seq)
{
	return seq * (TAG_BUSY + 1);
}

static bool is_complete(s64 tag, u64 seq)
{
	return (tag & ~TAG_ADDING) == complete_tag(seq);
}

static struct record *slot_of(u64 seq)
{
	u32 index;

	div_u64_rem(seq, nr_slots, &index);
	return &slots[index];
}

struct record *recorder_begin(void)
{
	u64 seq = atomic64_inc_return(&last_seq);
	struct record *slot = slot_of(seq);
	s64 tag = atomic64_read(&slot->tag);

	/*
	 * If the slot has a newer record, this CPU was stopped. A successful
	 * cmpxchg is a full barrier: no store to the slot is seen before TAG_WRITING. Pairs with
	 * the smp_rmb() in recorder_read().
	 */
	if ((tag & TAG_BUSY) || tag > complete_tag(seq) ||
	    atomic64_cmpxchg(&slot->tag, tag, complete_tag(seq) | TAG_WRITING) != tag) {
		atomic64_inc(&nr_lost);
		return NULL;
	}
	slot->seq = seq;
	return slot;
}

void recorder_commit(struct record *record)
{
	/* All stores to the record before its tag. Pairs with recorder_read() and _peek(). */
	atomic64_set_release(&record->tag, complete_tag(record->seq));
}

void recorder_add_steal(u64 seq, u64 steal_ns)
{
	struct record *slot = slot_of(seq);

	/* No other record can take the slot meanwhile. */
	if (atomic64_cmpxchg(&slot->tag, complete_tag(seq),
			     complete_tag(seq) | TAG_ADDING) != complete_tag(seq))
		return;
	WRITE_ONCE(slot->steal_ns, slot->steal_ns + steal_ns);
	atomic64_set_release(&slot->tag, complete_tag(seq));
}

void recorder_range(u64 *first, u64 *end)
{
	u64 last = atomic64_read(&last_seq);

	*first = max(READ_ONCE(cleared_seq),
		     last > nr_slots ? last - nr_slots : 0) + 1;
	*end = last + 1;
}

bool recorder_peek(u64 seq, enum window_kind *kind, int *cpu)
{
	struct record *slot = slot_of(seq);

	/* Pairs with recorder_commit(). */
	if (!is_complete(atomic64_read_acquire(&slot->tag), seq))
		return false;

	*kind = READ_ONCE(slot->kind);
	*cpu = READ_ONCE(slot->cpu);

	/* The tag is read again after the fields. Pairs with recorder_begin(). */
	smp_rmb();
	return is_complete(atomic64_read(&slot->tag), seq);
}

bool recorder_read(u64 seq, struct record *copy)
{
	struct record *slot = slot_of(seq);

	/* Pairs with recorder_commit(). */
	if (!is_complete(atomic64_read_acquire(&slot->tag), seq))
		return false;

	/* If the slot changes meanwhile, the copy is not used. */
	data_race(memcpy(copy, slot, sizeof(*copy)));

	/* The tag is read again after the copy. Pairs with recorder_begin(). */
	smp_rmb();
	return is_complete(atomic64_read(&slot->tag), seq);
}

void recorder_clear(void)
{
	WRITE_ONCE(cleared_seq, atomic64_read(&last_seq));
	WRITE_ONCE(cleared_lost, atomic64_read(&nr_lost));
}

void recorder_count(struct recorder_counts *counts)
{
	enum window_kind kind;
	u64 cleared = READ_ONCE(cleared_seq);
	u64 lost = READ_ONCE(cleared_lost);
	u64 seq, first, end;
	u64 made, gone;
	int cpu;

	/* Load the cleared values first, or a difference might be negative. */
	smp_rmb();
	recorder_range(&first, &end);
	made = end - 1 - cleared;
	counts->lost = atomic64_read(&nr_lost) - lost;
	counts->kept = 0;
	for (seq = first; seq < end; seq++) {
		counts->kept += recorder_peek(seq, &kind, &cpu);
		cond_resched();
	}

	gone = counts->kept + counts->lost;
	counts->overwritten = made > gone ? made - gone : 0;
}

unsigned int recorder_size(void)
{
	return nr_slots;
}

int recorder_init(unsigned int nr_records)
{
	slots = vzalloc(array_size(nr_records, sizeof(*slots)));
	if (!slots)
		return -ENOMEM;

	nr_slots = nr_records;
	return 0;
}

void recorder_exit(void)
{
	vfree(slots);
}
