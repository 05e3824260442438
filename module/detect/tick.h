/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Ticks: what a tick does (tick.c), and its two sources (tick_sched.c, tick_timer.c). */
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
 * @steal_ns: record_steal() at the last tick
 *
 * Written by the CPU itself with interrupts off. Others clear @running, and set @steal_ns before
 * the CPU starts.
 */
struct tick_cpu {
	bool running;
	bool recording;
	u8 sched;
	u64 ran_ns;
	u64 interval_ns;
	u64 steal_ns;
};

DECLARE_PER_CPU(struct tick_cpu, tick_cpus);

/**
 * tick() - a timer interrupt of this CPU
 * @now: when this interrupt began, or later
 * @due_ns: when it was due
 * @on_ns: unless the CPU is idle, interrupts were on then; 0: unknown
 *
 * From @due_ns, or from the previous tick if that came later, the CPU could not take its timer
 * interrupt. All times are CLOCK_MONOTONIC. Context: hardirq.
 */
void tick(u64 now, u64 due_ns, u64 on_ns);

/** tick_sched_init() - find the scheduler's tick later: waits for no CPU. Context: process. */
void tick_sched_init(void);

/** tick_sched_exit() - no probe runs any more. Waits for all CPUs. Context: process. */
void tick_sched_exit(void);

/** tick_sched_state() - Return: NULL if it has been found, or why not. Context: any. */
const char *tick_sched_state(void);

void tick_timer_init(void);

/**
 * tick_timer_start() - start the timer of this CPU
 * @due_ns: its first tick, CLOCK_MONOTONIC; may have passed
 *
 * Context: interrupts off.
 */
void tick_timer_start(u64 due_ns);

/** tick_timer_unpark() - this CPU is not idle any more. Context: hardirq. */
void tick_timer_unpark(void);

/** tick_timer_cancel() - stop the timer of a CPU. Waits for its callback. Context: process. */
void tick_timer_cancel(int cpu);

/** tick_timer_runs() - Return: whether the timer of a CPU is on. Context: any. */
bool tick_timer_runs(int cpu);

#endif /* TRACE_IRQOFF_TICK_H */
