// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Latency histograms. Each counter has one writer at a time, so counting takes no atomic operation:
 * a CPU has counters of its own, and watchers have a second set for each CPU. Context: see
 * histogram.h.
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

/*
 * What one CPU has counted, or watchers have counted for it. histogram_clear() cannot wait for a
 * CPU that has interrupts off. So it only increments @newest_generation, and the next writer sets
 * old counters to zero before it counts.
 */
struct counters {
	int generation;		/* not @newest_generation: the counters count as zero */
	u64 delayed;		/* ticks that found softirqs delayed */
	struct histogram kinds[NR_WINDOW_KINDS];
};

struct cpu_histograms {
	struct counters own;
	struct counters remote;		/* written by watchers */
};

static struct cpu_histograms __percpu *histograms;
static atomic_t newest_generation;

/* Takes a pointer: UBSAN would check an index in each tick. */
static __always_inline void histogram_increase(u64 *counter, u64 by)
{
	WRITE_ONCE(*counter, *counter + by);
}

static __always_inline void histogram_add_to(struct histogram *histogram, unsigned int bucket,
					     u64 latency_ns)
{
	histogram_increase(histogram->buckets + bucket, 1);
	histogram_increase(&histogram->sum_ns, latency_ns);
	if (latency_ns > histogram->max_ns)
		WRITE_ONCE(histogram->max_ns, latency_ns);
}

static noinline void histogram_add_slowpath(struct counters *counters, enum window_kind kind,
					    u64 latency_ns)
{
	struct histogram *histogram = &counters->kinds[kind];
	u64 period_ns = READ_ONCE(settings.period_ns);
	unsigned int bucket;

	if (counters->generation != atomic_read(&newest_generation)) {
		memset(counters->kinds, 0, sizeof(counters->kinds));
		counters->delayed = 0;
		/* Zeros are seen before the generation. Pairs with histogram_add_up(). */
		smp_store_release(&counters->generation, atomic_read(&newest_generation));
	}
	bucket = fls64(div_u64(latency_ns, NSEC_PER_USEC));
	histogram_add_to(histogram, min(bucket, HISTOGRAM_BUCKETS - 1U), latency_ns);
	if (latency_ns >= period_ns) {
		bucket = ilog2(div64_u64(latency_ns, period_ns));
		histogram_increase(histogram->distribute + min(bucket, DISTRIBUTE_BUCKETS - 1U), 1);
	}
}

void histogram_add(enum window_kind kind, u64 latency_ns)
{
	struct counters *own = &this_cpu_ptr(histograms)->own;

	lockdep_assert_irqs_disabled();
	/* The path of nearly all ticks. A latency below a period (1 s at most) fits 32 bits. */
	if (likely(kind == WINDOW_HARDIRQ && latency_ns < READ_ONCE(settings.period_ns) &&
		   own->generation == atomic_read(&newest_generation)))
		histogram_add_to(&own->kinds[kind], fls((u32)latency_ns / NSEC_PER_USEC),
				 latency_ns);
	else
		histogram_add_slowpath(own, kind, latency_ns);
}

void histogram_add_remote(int cpu, enum window_kind kind, u64 latency_ns)
{
	histogram_add_slowpath(&per_cpu_ptr(histograms, cpu)->remote, kind, latency_ns);
}

void histogram_softirqs_delayed(void)
{
	histogram_increase(&this_cpu_ptr(histograms)->own.delayed, 1);
}

static bool histogram_add_up(const struct counters *from, enum window_kind kind,
			     struct histogram *sum)
{
	const struct histogram *histogram = &from->kinds[kind];
	int i;

	/* The counters are read after this. Pairs with histogram_add_slowpath(). */
	if (smp_load_acquire(&from->generation) != atomic_read(&newest_generation))
		return false;

	for (i = 0; i < HISTOGRAM_BUCKETS; i++)
		sum->buckets[i] += READ_ONCE(histogram->buckets[i]);
	for (i = 0; i < DISTRIBUTE_BUCKETS; i++)
		sum->distribute[i] += READ_ONCE(histogram->distribute[i]);
	sum->sum_ns += READ_ONCE(histogram->sum_ns);
	sum->max_ns = max(sum->max_ns, READ_ONCE(histogram->max_ns));
	return true;
}

void histogram_read(int cpu, enum window_kind kind, struct histogram *sum)
{
	const struct cpu_histograms *from = per_cpu_ptr(histograms, cpu);

	/* A tick that found softirqs free to run is a softirq latency below 1 us. */
	if (histogram_add_up(&from->own, kind, sum) && kind == WINDOW_SOFTIRQ) {
		u64 ticks = histogram_count(&from->own.kinds[WINDOW_HARDIRQ]);

		/* @delayed is read later, and may include a newer tick. */
		sum->buckets[0] += ticks - min(ticks, READ_ONCE(from->own.delayed));
	}
	histogram_add_up(&from->remote, kind, sum);
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
