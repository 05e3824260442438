/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Latency histograms, per CPU and kind of window. Context: process, unless said otherwise. */
#ifndef TRACE_IRQOFF_HISTOGRAM_H
#define TRACE_IRQOFF_HISTOGRAM_H

#include <linux/types.h>

#include "record/sample.h"

/* Bucket 0 is below 1 us; bucket i is from 2^(i-1) us; the last one is open. */
#define HISTOGRAM_BUCKETS	26
/* Bucket i is from 2^i sampling periods; the last one is open. */
#define DISTRIBUTE_BUCKETS	10

/* The latencies of one kind */
struct histogram {
	u64 buckets[HISTOGRAM_BUCKETS];	/* number of latencies, by length */
	/* the same for latencies of at least one sampling period */
	u64 distribute[DISTRIBUTE_BUCKETS];
	u64 sum_ns;	/* sum of all latencies */
	u64 max_ns;	/* the longest one */
};

int histogram_init(void);
void histogram_exit(void);

/** histogram_add() - count a latency on this CPU. Context: any but NMI, interrupts off. */
void histogram_add(enum window_kind kind, u64 latency_ns);

/** histogram_add_remote() - count a latency of another CPU. One caller at a time, not in NMI. */
void histogram_add_remote(int cpu, enum window_kind kind, u64 latency_ns);

/** histogram_softirqs_delayed() - the tick just added found softirqs delayed. Context: hardirq. */
void histogram_softirqs_delayed(void);

/** histogram_read() - add what was counted for a CPU since the last clear to @sum. */
void histogram_read(int cpu, enum window_kind kind, struct histogram *sum);

/** histogram_count() - Return: number of latencies in all buckets. */
u64 histogram_count(const struct histogram *histogram);

/** histogram_clear() - start again from zero on all CPUs. Waits for no CPU. */
void histogram_clear(void);

#endif /* TRACE_IRQOFF_HISTOGRAM_H */
