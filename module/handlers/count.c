// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Counts the handlers of each CPU, and their time. Each CPU writes its own tables, with interrupts
 * off. The clock is sched_clock(): reading CLOCK_MONOTONIC may take a microsecond. Context: see
 * handlers.h.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/hash.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/seqlock.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "handlers/handlers.h"

struct handlers_cpu __percpu *handlers_cpus;
bool handlers_counting __read_mostly;
atomic_t handlers_lost;

static void add_to_other(struct handler *other, const struct handler *row)
{
	int i;

	WRITE_ONCE(other->id, other);
	WRITE_ONCE(other->count, other->count + row->count);
	WRITE_ONCE(other->total_ns, other->total_ns + row->total_ns);
	if (row->max_ns > other->max_ns) {
		WRITE_ONCE(other->max_ns, row->max_ns);
		WRITE_ONCE(other->max_end_ns, row->max_end_ns);
	}
	for (i = 0; i < HANDLER_BUCKETS; i++)
		WRITE_ONCE(other->buckets[i], other->buckets[i] + row->buckets[i]);
}

/*
 * A row is replaced but never emptied, so a search stops at the first unused row. @name: see
 * handlers_end()
 */
static struct handler *find_row(struct handlers_cpu *c, enum handler_kind kind, const void *id,
				u32 number, const char *name)
{
	struct handler *rows = kind < HANDLER_FUNCTIONS ? c->interrupts : c->functions;
	unsigned int first = hash_ptr(id, ilog2(HANDLER_ROWS)) + number + kind;
	struct handler *row, *least = NULL;
	unsigned int i;

	for (i = 0; i < HANDLER_ROWS; i++) {
		row = &rows[(first + i) % HANDLER_ROWS];
		if (row->id == id && row->number == number && row->kind == kind)
			return row;
		if (!row->id)
			break;
		/* Keep raises, ten at most: their total is a delay, and no time of the CPU. */
		if (row->kind != HANDLER_RAISED && (!least || row->total_ns < least->total_ns))
			least = row;
	}
	if (i == HANDLER_ROWS) {
		row = least;
		add_to_other(&rows[HANDLER_ROWS], row);
	}

	raw_write_seqcount_begin(&c->replaced);
	memset(row, 0, sizeof(*row));
	row->id = id;
	row->number = number;
	row->kind = kind;
	if (name)
		strscpy(row->name, name, sizeof(row->name));
	raw_write_seqcount_end(&c->replaced);
	return row;
}

static void add_time(struct handlers_cpu *c, enum handler_kind kind, const void *id, u32 number,
		     u64 ns, const char *name)
{
	struct handler *row = find_row(c, kind, id, number, name);
	u64 *bucket = &row->buckets[min(fls64(div_u64(ns, NSEC_PER_USEC)), HANDLER_BUCKETS - 1)];

	WRITE_ONCE(row->count, row->count + 1);
	WRITE_ONCE(row->total_ns, row->total_ns + ns);
	WRITE_ONCE(*bucket, *bucket + 1);
	if (ns >= row->max_ns) {
		WRITE_ONCE(row->max_ns, ns);
		WRITE_ONCE(row->max_end_ns, ktime_get_mono_fast_ns());
	}
}

/* Return: @now - @begin_ns, without interrupts that came in between: @inner_ns is of the begin. */
static u64 own_ns(const struct handlers_cpu *c, u64 begin_ns, u64 inner_ns, u64 now)
{
	/* The clock may jump back a little. */
	u64 ns = now > begin_ns ? now - begin_ns : 0;

	return ns - min(ns, c->inner_ns - inner_ns);
}

struct handlers_cpu *handlers_counting_cpu(void)
{
	/*
	 * Pseudo-NMIs of arm64 have these tracepoints, too. Orders the flag before handlers_cpus.
	 * Pairs with handlers_work().
	 */
	if (in_nmi() || !smp_load_acquire(&handlers_counting))
		return NULL;
	return this_cpu_ptr(handlers_cpus);
}

void handlers_begin(struct handlers_cpu *c, enum handler_kind kind, const void *key, const void *id,
		    u32 number)
{
	u64 now = sched_clock(), raised_ns;

	/* Since 6.2, a timer that is shut down while it begins has no function. */
	if (!id)
		return;
	if (c->depth == HANDLER_DEPTH) {
		atomic_add(HANDLER_DEPTH, &handlers_lost);
		c->depth = 0;
	}
	c->frames[c->depth++] = (struct handler_frame) {
		.key = key, .id = id, .number = number, .kind = kind,
		.begin_ns = now, .inner_ns = c->inner_ns,
		.poll_ns = now, .poll_inner_ns = c->inner_ns,
	};
	if (kind != HANDLER_SOFTIRQ)
		return;
	raised_ns = c->raised_ns[number];
	/* What was raised just before the CPU went offline runs when it is back: no delay. */
	if (raised_ns && cpu_active(smp_processor_id()))
		add_time(c, HANDLER_RAISED, id, number, own_ns(c, raised_ns, c->inner_ns, now),
			 NULL);
	/* Already raised again: another run follows. */
	c->raised_ns[number] = local_softirq_pending() & BIT(number) ? now : 0;
}

static struct handler_frame *find_frame(struct handlers_cpu *c, enum handler_kind kind,
					const void *key)
{
	int i;

	for (i = c->depth - 1; i >= 0; i--)
		if (c->frames[i].kind == kind && c->frames[i].key == key)
			return &c->frames[i];
	return NULL;
}

void handlers_end(struct handlers_cpu *c, enum handler_kind kind, const void *key, const char *name)
{
	struct handler_frame *frame = find_frame(c, kind, key);
	u64 ns;

	if (!frame)
		return;
	ns = own_ns(c, frame->begin_ns, frame->inner_ns, sched_clock());
	if (kind < HANDLER_FUNCTIONS)
		c->inner_ns += ns;
	add_time(c, kind, frame->id, frame->number, ns, name);
	/*
	 * On PREEMPT_RT, handlers that have begun after this one may still run: @ns is not their
	 * time.
	 */
	for (c->depth--; frame < c->frames + c->depth; frame++) {
		*frame = frame[1];
		if (kind < HANDLER_FUNCTIONS) {
			frame->inner_ns += ns;
			frame->poll_inner_ns += ns;
		}
	}
}

void handlers_raise(struct handlers_cpu *c, unsigned int nr)
{
	/* Keep the time of the first raise until the handler begins. */
	if (!c->raised_ns[nr])
		c->raised_ns[nr] = sched_clock();
}

/* NAPI has no tracepoint before a poll: it begins with the softirq, or after the last poll. */
void handlers_polled(struct handlers_cpu *c, const void *poll)
{
	struct handler_frame *softirq = find_frame(c, HANDLER_SOFTIRQ, current);
	u64 now = sched_clock();

	/* Tasks poll, too. */
	if (!softirq || softirq->number != NET_RX_SOFTIRQ)
		return;
	add_time(c, HANDLER_POLL, poll, 0,
		 own_ns(c, softirq->poll_ns, softirq->poll_inner_ns, now), NULL);
	softirq->poll_ns = now;
	softirq->poll_inner_ns = c->inner_ns;
}

bool handlers_read(const struct handlers_cpu *c, const struct handler *row, struct handler *copy)
{
	const u64 *from = (const u64 *)row;
	u64 *to = (u64 *)copy;
	unsigned int i, seq, tries;

	/* Do not wait: the CPU may have stopped while it replaced a row. */
	for (tries = 0; tries < 10; tries++) {
		seq = raw_read_seqcount(&c->replaced);
		for (i = 0; i < sizeof(*row) / sizeof(*from); i++)
			to[i] = READ_ONCE(from[i]);
		if (!(seq & 1) && !read_seqcount_retry(&c->replaced, seq))
			return copy->id && copy->count;
	}
	return false;
}
