// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * A ring of slots for records. Any CPU writes to it in hardirq or softirq, while other CPUs write
 * and read. A record's sequence number selects its slot. Clearing writes to no slot: it only moves
 * the number from which records are shown. Context: see record.h.
 */
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "record/record.h"

/*
 * The tag of a slot is its state:
 *
 *	tag		state					left by
 *	0		empty					recorder_begin()
 *	4 * seq		record seq is complete			recorder_begin(), _add_steal()
 *	4 * seq + 1	record seq is being written		recorder_commit()
 *	4 * seq + 2	complete; stolen time is being added	recorder_add_steal()
 *
 * A writer takes an empty or complete slot by a cmpxchg. If a slower writer is still busy with the
 * slot, one round later, the new record is lost. A reader uses its copy only if the tag said
 * complete before and after copying.
 */
#define TAG_WRITING	1
#define TAG_ADDING	2
#define TAG_BUSY	(TAG_WRITING | TAG_ADDING)

static struct record *slots;
static unsigned int nr_slots;
static atomic64_t last_seq;	/* of the newest record */
static atomic64_t nr_done;	/* of these, how many are complete or lost */
static atomic64_t nr_lost;	/* since load */

/* last_seq and nr_lost when the records were cleared. */
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
	 * The slot may have a newer record: a host may not have run this CPU for a while. The
	 * cmpxchg is a full barrier: TAG_WRITING is seen before the stores to the slot. Pairs with
	 * the smp_rmb() in recorder_read().
	 */
	if ((tag & TAG_BUSY) || tag > complete_tag(seq) ||
	    atomic64_cmpxchg(&slot->tag, tag, complete_tag(seq) | TAG_WRITING) != tag) {
		atomic64_inc(&nr_lost);
		atomic64_inc(&nr_done);
		return NULL;
	}
	slot->seq = seq;
	return slot;
}

void recorder_commit(struct record *record)
{
	/* All stores to the record are seen before its tag. Pairs with recorder_read(). */
	atomic64_set_release(&record->tag, complete_tag(record->seq));
	/* The tag is seen before the number. Pairs with recorder_next(). */
	smp_mb__before_atomic();
	atomic64_inc(&nr_done);
}

void recorder_add_steal(u64 seq, u64 steal_ns)
{
	struct record *slot = slot_of(seq);
	s64 complete = complete_tag(seq);

	/* While TAG_ADDING is set, no other record takes the slot. */
	if (atomic64_cmpxchg(&slot->tag, complete, complete | TAG_ADDING) != complete)
		return;
	WRITE_ONCE(slot->steal_ns, slot->steal_ns + steal_ns);
	atomic64_set_release(&slot->tag, complete);
}

void recorder_range(u64 *first, u64 *end)
{
	u64 last = atomic64_read(&last_seq);

	*first = max(READ_ONCE(cleared_seq), last > nr_slots ? last - nr_slots : 0) + 1;
	/* recorder_clear() may have run since, and may have cleared records after @last. */
	*end = max(*first, last + 1);
}

u64 recorder_next(u64 seq)
{
	u64 done = atomic64_read_acquire(&nr_done), first, end;
	s64 tag;

	recorder_range(&first, &end);
	for (seq = max(seq, first); seq < end; seq++) {
		tag = atomic64_read(&slot_of(seq)->tag);
		if (is_complete(tag, seq))
			return seq;
		/*
		 * recorder_begin() takes the number first, then the slot: with an older tag, the
		 * record is lost or not yet begun.
		 */
		if (tag == (complete_tag(seq) | TAG_WRITING) ||
		    (tag < complete_tag(seq) && done < end - 1))
			return 0;
		cond_resched();
	}
	return 0;
}

bool recorder_read(u64 seq, struct record *copy)
{
	struct record *slot = slot_of(seq);

	/* The tag is read before the record. Pairs with recorder_commit(). */
	if (!is_complete(atomic64_read_acquire(&slot->tag), seq))
		return false;

	/* If the slot changes meanwhile, the caller does not use the copy. */
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
	u64 cleared = READ_ONCE(cleared_seq);
	u64 lost = READ_ONCE(cleared_lost);
	u64 seq, first, end, made, gone;

	/* The cleared values are read first, or a difference below might be negative. */
	smp_rmb();
	recorder_range(&first, &end);
	made = end - 1 - cleared;
	counts->slots = nr_slots;
	counts->lost = atomic64_read(&nr_lost) - lost;
	counts->kept = 0;
	for (seq = first; seq < end; seq++) {
		counts->kept += is_complete(atomic64_read(&slot_of(seq)->tag), seq);
		cond_resched();
	}

	gone = counts->kept + counts->lost;
	counts->overwritten = made > gone ? made - gone : 0;
}

int recorder_init(unsigned int nr_records)
{
	nr_slots = nr_records;
	slots = vzalloc(array_size(nr_records, sizeof(*slots)));
	return slots ? 0 : -ENOMEM;
}

void recorder_exit(void)
{
	vfree(slots);
}
