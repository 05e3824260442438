// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Latency histograms. A CPU counts into memory of its own, so counting takes no atomic
 * operation. Watchers count the windows of other CPUs into a second set of counters.
 *
 * A clear must not wait for a CPU that has interrupts off, and only one CPU may write a
 * counter. So a clear only increments the generation: the next writer finds that its counters
 * are old, and empties them first. Until then readers take old counters as empty.
 *
 * Context: histogram_add() runs with interrupts off; histogram_read() and histogram_clear()
 * run in process context.
 */
#include <linux/atomic.h>
#include <linux/lockdep.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "record/histogram.h"
#include "settings.h"

/**
 * struct counters - what one CPU has counted, or watchers for that CPU
 * @generation: the counters belong to this generation
 * @delayed: ticks that found softirqs delayed. All other ticks found that the softirq latency
 *	is next to nothing, and need no counter of their own
 * @kinds: the counters of each kind of window
 */
struct counters {
	int generation;
	u64 delayed;
	struct histogram kinds[NR_WINDOW_KINDS];
};

struct cpu_histograms {
	struct counters own;
	struct counters remote;		/* written by watchers */
};

static struct cpu_histograms __percpu *histograms;
static atomic_t newest_generation;

static void empty(struct counters *counters)
{
	memset(counters->kinds, 0, sizeof(counters->kinds));
	counters->delayed = 0;
	/* Emptied before the generation says so. Pairs with add_up(). */
	smp_store_release(&counters->generation, atomic_read(&newest_generation));
}

/* There is one writer; readers may look at any time. */
static void count_one(u64 *count)
{
	WRITE_ONCE(*count, *count + 1);
}

static __always_inline void add(struct counters *counters, enum window_kind kind,
				u64 latency_ns)
{
	struct histogram *histogram = &counters->kinds[kind];
	u64 latency_us = div_u64(latency_ns, NSEC_PER_USEC);
	u64 period_ns = settings.period_ns;
	unsigned int bucket = latency_us ? ilog2(latency_us) + 1 : 0;

	lockdep_assert_irqs_disabled();

	if (unlikely(counters->generation != atomic_read(&newest_generation)))
		empty(counters);

	count_one(&histogram->buckets[min(bucket, HISTOGRAM_BUCKETS - 1U)]);
	WRITE_ONCE(histogram->sum_ns, histogram->sum_ns + latency_ns);
	if (latency_ns > histogram->max_ns)
		WRITE_ONCE(histogram->max_ns, latency_ns);

	if (unlikely(latency_ns >= period_ns)) {
		bucket = ilog2(div64_u64(latency_ns, period_ns));
		count_one(&histogram->distribute[min(bucket, DISTRIBUTE_BUCKETS - 1U)]);
	}
}

void histogram_add(enum window_kind kind, u64 latency_ns)
{
	add(&this_cpu_ptr(histograms)->own, kind, latency_ns);
}

void histogram_add_remote(int cpu, enum window_kind kind, u64 latency_ns)
{
	add(&per_cpu_ptr(histograms, cpu)->remote, kind, latency_ns);
}

void histogram_softirqs_delayed(void)
{
	count_one(&this_cpu_ptr(histograms)->own.delayed);
}

/* Ticks that found softirqs free to run: their latency was below 1 us. */
static u64 count_free(const struct counters *from)
{
	u64 ticks = histogram_count(&from->kinds[WINDOW_HARDIRQ]);
	u64 delayed = READ_ONCE(from->delayed);

	/* A tick counts itself first, but the two are not read at once. */
	return ticks > delayed ? ticks - delayed : 0;
}

static void add_up(const struct counters *from, enum window_kind kind,
		   bool own, struct histogram *sum)
{
	const struct histogram *histogram = &from->kinds[kind];
	int i;

	/* Pairs with empty(). */
	if (smp_load_acquire(&from->generation) != atomic_read(&newest_generation))
		return;

	for (i = 0; i < HISTOGRAM_BUCKETS; i++)
		sum->buckets[i] += READ_ONCE(histogram->buckets[i]);
	for (i = 0; i < DISTRIBUTE_BUCKETS; i++)
		sum->distribute[i] += READ_ONCE(histogram->distribute[i]);
	if (kind == WINDOW_SOFTIRQ && own)
		sum->buckets[0] += count_free(from);
	sum->sum_ns += READ_ONCE(histogram->sum_ns);
	sum->max_ns = max(sum->max_ns, READ_ONCE(histogram->max_ns));
}

void histogram_read(int cpu, enum window_kind kind, struct histogram *sum)
{
	const struct cpu_histograms *from = per_cpu_ptr(histograms, cpu);

	add_up(&from->own, kind, true, sum);
	add_up(&from->remote, kind, false, sum);
}

u64 histogram_count(const struct histogram *histogram)
{
	u64 count = 0;
	int i;

	for (i = 0; i < HISTOGRAM_BUCKETS; i++)
		count += READ_ONCE(histogram->buckets[i]);
	return count;
}

void histogram_clear(void)
{
	atomic_inc(&newest_generation);
}

int histogram_init(void)
{
	histograms = alloc_percpu(struct cpu_histograms);
	return histograms ? 0 : -ENOMEM;
}

void histogram_exit(void)
{
	free_percpu(histograms);
}
