// SPDX-License-Identifier: GPL-2.0
/*
 * Latency histograms. A CPU counts into memory of its own, so that counting takes
 * no atomic operation.
 *
 * Clearing must not wait for a CPU that has interrupts off, and only a CPU itself
 * may write its counters. So a clear just moves the generation on: a CPU finds
 * that out when it counts next and empties its counters first. Until then readers
 * see that the CPU's generation is old, and take it as empty.
 *
 * Context: histogram_add() runs with interrupts off; all others in process context.
 */
#include <linux/atomic.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "histogram.h"

/**
 * struct cpu_histograms - one CPU
 * @not_free: hard ticks that did not find softirqs free to run. The others found
 *	that their latency is next to nothing, and need no counter of their own
 * @kinds: the counters of each kind of window
 */
struct cpu_histograms {
	u64 not_free;
	struct histogram kinds[NR_WINDOW_KINDS];
};

static struct cpu_histograms __percpu *histograms;
DEFINE_PER_CPU(struct histogram_ticks, histogram_ticks);
atomic_t histogram_generation;

void histogram_start_again(void)
{
	struct cpu_histograms *cpu = this_cpu_ptr(histograms);
	struct histogram_ticks *ticks = this_cpu_ptr(&histogram_ticks);

	memset(cpu->kinds, 0, sizeof(cpu->kinds));
	cpu->not_free = 0;
	ticks->on_time = 0;
	/* Emptied before it is called up to date: see histogram_read(). */
	smp_store_release(&ticks->generation, atomic_read(&histogram_generation));
}

/* Others may read it meanwhile, but none writes. */
static void count_one(u64 *count)
{
	WRITE_ONCE(*count, *count + 1);
}

void histogram_add(enum window_kind kind, u64 latency_ns, u64 period_ns)
{
	struct cpu_histograms *cpu = this_cpu_ptr(histograms);
	struct histogram *histogram = &cpu->kinds[kind];
	u64 latency_us = div_u64(latency_ns, NSEC_PER_USEC);
	unsigned int bucket;

	lockdep_assert_irqs_disabled();

	if (unlikely(this_cpu_read(histogram_ticks.generation) !=
		     atomic_read(&histogram_generation)))
		histogram_start_again();

	bucket = latency_us ? ilog2(latency_us) + 1 : 0;
	count_one(&histogram->buckets[min(bucket, HISTOGRAM_BUCKETS - 1U)]);
	WRITE_ONCE(histogram->sum_ns, histogram->sum_ns + latency_ns);
	if (latency_ns > histogram->max_ns)
		WRITE_ONCE(histogram->max_ns, latency_ns);

	if (unlikely(latency_ns >= period_ns)) {
		bucket = ilog2(div64_u64(latency_ns, period_ns));
		count_one(&histogram->distribute[min(bucket, DISTRIBUTE_BUCKETS - 1U)]);
	}
}

void histogram_not_free(void)
{
	count_one(&this_cpu_ptr(histograms)->not_free);
}

/* Hard ticks that found softirqs free to run: their latency was below 1 us. */
static u64 count_free(const struct cpu_histograms *from, u64 ticks)
{
	u64 not_free = READ_ONCE(from->not_free);
	int i;

	for (i = 0; i < HISTOGRAM_BUCKETS; i++)
		ticks += READ_ONCE(from->kinds[WINDOW_HARDIRQ].buckets[i]);
	/* A tick counts itself first, but the two are not read at once. */
	return ticks > not_free ? ticks - not_free : 0;
}

void histogram_read(int cpu, enum window_kind kind, struct histogram *sum)
{
	const struct cpu_histograms *from = per_cpu_ptr(histograms, cpu);
	const struct histogram_ticks *ticks = &per_cpu(histogram_ticks, cpu);
	const struct histogram *histogram = &from->kinds[kind];
	int i;

	u64 on_time;

	/* Pairs with histogram_start_again(): the counters are of this generation. */
	if (smp_load_acquire(&ticks->generation) !=
	    atomic_read(&histogram_generation))
		return;
	on_time = READ_ONCE(ticks->on_time);

	for (i = 0; i < HISTOGRAM_BUCKETS; i++)
		sum->buckets[i] += READ_ONCE(histogram->buckets[i]);
	for (i = 0; i < DISTRIBUTE_BUCKETS; i++)
		sum->distribute[i] += READ_ONCE(histogram->distribute[i]);
	sum->buckets[0] += kind == WINDOW_SOFTIRQ ? count_free(from, on_time) :
						    on_time;
	sum->sum_ns += READ_ONCE(histogram->sum_ns);
	sum->max_ns = max(sum->max_ns, READ_ONCE(histogram->max_ns));
}

u64 histogram_count(const struct histogram *histogram)
{
	u64 count = 0;
	int i;

	for (i = 0; i < HISTOGRAM_BUCKETS; i++)
		count += histogram->buckets[i];
	return count;
}

void histogram_clear(void)
{
	atomic_inc(&histogram_generation);
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
