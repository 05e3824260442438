// SPDX-License-Identifier: GPL-2.0
/*
 * The flight recorder: a ring of fixed slots, allocated once, that any CPU
 * writes to from hardirq or softirq while others write and read.
 *
 * A record's sequence number is drawn from one counter and names its slot. The
 * slot's tag says what is in it:
 *
 *	0		nothing yet
 *	4 * seq		record seq is whole
 *	4 * seq + 1	record seq is being written
 *	4 * seq + 2	record seq is whole; its stolen time is being added to
 *
 * A writer takes a slot by cmpxchg from a tag without either bit. It can find one
 * set only when it comes round the whole ring while another writer is still busy
 * there (a virtual CPU that was stopped, say); then the new record is dropped and
 * counted, since waiting is not an option here. A reader copies the slot and
 * believes the copy when the tag was that of a whole record before and after.
 *
 * Clearing moves the number of the oldest record to show. No slot is touched.
 *
 * Context: recorder_begin() and recorder_commit() run in hardirq, or in softirq
 * with interrupts off; all others in process context.
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

/* Numbers up to this one, and losses up to that many, have been cleared. */
static u64 cleared_seq;
static u64 cleared_lost;

static s64 whole(u64 seq)
{
	return seq * (TAG_BUSY + 1);
}

static bool is_whole(s64 tag, u64 seq)
{
	return (tag & ~TAG_ADDING) == whole(seq);
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
	 * A newer record in our slot: we were the ones who slept. A full barrier
	 * comes with a cmpxchg that succeeds: no store to the slot can be seen
	 * before the writing bit. Pairs with the smp_rmb() in recorder_read().
	 */
	if ((tag & TAG_BUSY) || tag > whole(seq) ||
	    atomic64_cmpxchg(&slot->tag, tag, whole(seq) | TAG_WRITING) != tag) {
		atomic64_inc(&nr_lost);
		return NULL;
	}
	slot->seq = seq;
	return slot;
}

void recorder_commit(struct record *record)
{
	/*
	 * All stores to the record come before the tag that calls it whole.
	 * Pairs with the acquire in recorder_read() and recorder_peek().
	 */
	atomic64_set_release(&record->tag, whole(record->seq));
}

void recorder_add_steal(u64 seq, u64 steal_ns)
{
	struct record *slot = slot_of(seq);

	/* No other record can take the slot meanwhile. */
	if (atomic64_cmpxchg(&slot->tag, whole(seq),
			     whole(seq) | TAG_ADDING) != whole(seq))
		return;
	WRITE_ONCE(slot->steal_ns, slot->steal_ns + steal_ns);
	atomic64_set_release(&slot->tag, whole(seq));
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
	if (!is_whole(atomic64_read_acquire(&slot->tag), seq))
		return false;

	*kind = READ_ONCE(slot->kind);
	*cpu = READ_ONCE(slot->cpu);

	/* The tag is read again after the fields. Pairs with recorder_begin(). */
	smp_rmb();
	return is_whole(atomic64_read(&slot->tag), seq);
}

bool recorder_read(u64 seq, struct record *copy)
{
	struct record *slot = slot_of(seq);

	/* Pairs with recorder_commit(). */
	if (!is_whole(atomic64_read_acquire(&slot->tag), seq))
		return false;

	/* A copy of something that was being written is thrown away. */
	data_race(memcpy(copy, slot, sizeof(*copy)));

	/* The tag is read again after the copy. Pairs with recorder_begin(). */
	smp_rmb();
	return is_whole(atomic64_read(&slot->tag), seq);
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

	/* What was cleared is read before what there is, or less than nothing is. */
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
