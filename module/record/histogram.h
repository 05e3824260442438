/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* How often which latency was seen, per CPU and kind of window. */
#ifndef TRACE_IRQOFF_HISTOGRAM_H
#define TRACE_IRQOFF_HISTOGRAM_H

#include <linux/types.h>

#include "record/sample.h"

/* Bucket 0 is below 1 us; bucket i from 2^(i-1) us; the last one is open. */
#define HISTOGRAM_BUCKETS	26
/* Bucket i is from 2^i sampling periods; the last one is open. */
#define DISTRIBUTE_BUCKETS	10

/**
 * struct histogram - the latencies of one kind
 * @buckets: in steps of two from 1 us up
 * @distribute: those of one sampling period and more, in steps of two from there
 * @sum_ns: of all latencies
 * @max_ns: the largest one
 */
struct histogram {
	u64 buckets[HISTOGRAM_BUCKETS];
	u64 distribute[DISTRIBUTE_BUCKETS];
	u64 sum_ns;
	u64 max_ns;
};

int histogram_init(void);
void histogram_exit(void);

/** histogram_add() - count a latency on this CPU. Context: interrupts off, no NMI. */
void histogram_add(enum window_kind kind, u64 latency_ns);

/** histogram_add_remote() - count a latency on another CPU. As above, one caller at a time. */
void histogram_add_remote(int cpu, enum window_kind kind, u64 latency_ns);

/** histogram_softirqs_delayed() - the tick just counted found softirqs delayed. Hardirq. */
void histogram_softirqs_delayed(void);

/** histogram_read() - add a CPU's counts since the last clear to @sum. Context: process. */
void histogram_read(int cpu, enum window_kind kind, struct histogram *sum);

/** histogram_count() - Return: how many latencies were counted. */
u64 histogram_count(const struct histogram *histogram);

/** histogram_clear() - start again from zero on all CPUs. Waits for no CPU. Process. */
void histogram_clear(void);

#endif /* TRACE_IRQOFF_HISTOGRAM_H */
