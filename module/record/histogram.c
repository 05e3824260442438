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
 * Context: see histogram.h.
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
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
 * @delayed: ticks that found softirqs delayed; all other ticks need no counter: count_free()
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

/* There is one writer; readers may look at any time. */
static __always_inline void increase(u64 *counter, u64 by)
{
	WRITE_ONCE(*counter, *counter + by);
}

static __always_inline void count(struct histogram *histogram, unsigned int bucket, u64 latency_ns)
{
	increase(histogram->buckets + bucket, 1);
	increase(&histogram->sum_ns, latency_ns);
	if (latency_ns > histogram->max_ns)
		WRITE_ONCE(histogram->max_ns, latency_ns);
}

static noinline void add(struct counters *counters, enum window_kind kind, u64 latency_ns)
{
	struct histogram *histogram = &counters->kinds[kind];
	unsigned int bucket;

	if (counters->generation != atomic_read(&newest_generation)) {
		memset(counters->kinds, 0, sizeof(counters->kinds));
		counters->delayed = 0;
		/* Emptied before the generation says so. Pairs with add_up(). */
		smp_store_release(&counters->generation, atomic_read(&newest_generation));
	}
	bucket = fls64(div_u64(latency_ns, NSEC_PER_USEC));
	count(histogram, min(bucket, HISTOGRAM_BUCKETS - 1U), latency_ns);
	if (latency_ns >= settings.period_ns) {
		bucket = ilog2(div64_u64(latency_ns, settings.period_ns));
		increase(&histogram->distribute[min(bucket, DISTRIBUTE_BUCKETS - 1U)], 1);
	}
}

void histogram_add(enum window_kind kind, u64 latency_ns)
{
	struct counters *own = &this_cpu_ptr(histograms)->own;

	lockdep_assert_irqs_disabled();
	/* Nearly all ticks: each instruction counts. A period is at most one second: 32 bits. */
	if (likely(kind == WINDOW_HARDIRQ && latency_ns < settings.period_ns &&
		   own->generation == atomic_read(&newest_generation)))
		count(&own->kinds[kind], fls((u32)latency_ns / NSEC_PER_USEC), latency_ns);
	else
		add(own, kind, latency_ns);
}

void histogram_add_remote(int cpu, enum window_kind kind, u64 latency_ns)
{
	add(&per_cpu_ptr(histograms, cpu)->remote, kind, latency_ns);
}

void histogram_softirqs_delayed(void)
{
	increase(&this_cpu_ptr(histograms)->own.delayed, 1);
}

/* Ticks that found softirqs free to run: their latency was below 1 us. */
static u64 count_free(const struct counters *from)
{
	u64 ticks = histogram_count(&from->kinds[WINDOW_HARDIRQ]);
	u64 delayed = READ_ONCE(from->delayed);

	/* A tick counts itself before it counts as delayed, but the two are not read at once. */
	return ticks > delayed ? ticks - delayed : 0;
}

static void add_up(const struct counters *from, enum window_kind kind,
		   bool own, struct histogram *sum)
{
	const struct histogram *histogram = &from->kinds[kind];
	int i;

	/* Pairs with add(). */
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
