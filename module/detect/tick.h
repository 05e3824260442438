/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* What a tick does, whichever of its two sources it comes from. */
#ifndef TRACE_IRQOFF_TICK_H
#define TRACE_IRQOFF_TICK_H

#include <linux/percpu.h>
#include <linux/types.h>

/* What the scheduler's tick of a monitored CPU does for us (tick_sched.c). */
enum tick_sched_use {
	TICK_SCHED_OFF,		/* nothing: the CPU has its own timer only */
	TICK_SCHED_TICKS,	/* it ticks for us */
	TICK_SCHED_UNPARKS,	/* and starts our own timer when the CPU is not idle */
};

/**
 * struct tick_cpu - one CPU
 * @running: the CPU is monitored
 * @recording: a late tick makes a record; an NMI must not change the window meanwhile
 * @sched: enum tick_sched_use
 * @ran_ns: the last tick, CLOCK_MONOTONIC
 * @interval_ns: while the CPU is busy, its ticks are at most this far apart
 * @watch_ns: from this time on a tick calls watch_tick()
 * @steal_ns: record_steal() at the last tick
 *
 * Written by the CPU itself with interrupts off. Others only clear @running.
 */
struct tick_cpu {
	bool running;
	bool recording;
	u8 sched;
	u64 ran_ns;
	u64 interval_ns;
	u64 watch_ns;
	u64 steal_ns;
};

DECLARE_PER_CPU(struct tick_cpu, tick_cpus);

/**
 * tick() - a timer interrupt of this CPU
 * @due_ns: when it was due
 * @on_ns: unless the CPU is idle, interrupts were on then; 0: unknown
 *
 * From @due_ns, or from the previous tick if that came later, the CPU could not take its timer
 * interrupt. All times are CLOCK_MONOTONIC. Context: hardirq.
 */
void tick(u64 due_ns, u64 on_ns);

#endif /* TRACE_IRQOFF_TICK_H */
