/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Ticks: what a tick does (tick.c), and the two sources (tick_sched.c, tick_timer.c). */
#ifndef TRACE_IRQOFF_TICK_H
#define TRACE_IRQOFF_TICK_H

#include <linux/percpu.h>
#include <linux/types.h>

struct group;

/* What the scheduler's tick of a monitored CPU is used for (tick_sched.c). */
enum tick_sched_use {
	TICK_SCHED_OFF,		/* nothing: only our own timer ticks */
	TICK_SCHED_TICKS,	/* ticks */
	TICK_SCHED_STARTS_TIMER,	/* ticks, and starts our own timer when the CPU is busy */
};

/*
 * One CPU: its ticks, and the group that checks it.
 *
 * Written by the CPU itself with interrupts off. Other CPUs clear @running, and set @ran_ns and
 * @steal_ns before the CPU starts. One cache line: a check reads it.
 */
struct tick_cpu {
	bool running;		/* the CPU is monitored */
	bool uses_window;	/* a tick uses the window of checks: NMIs and checks do not */
	u8 sched;		/* enum tick_sched_use */
	u8 position;		/* in @group */
	u64 ran_ns;		/* the last tick that was not in softirqs of the idle task */
	u64 interval_ns;	/* the largest distance of two ticks while the CPU is busy */
	u64 steal_ns;		/* record_steal() at the last tick */
	struct group *group;	/* never changes after load */
};

DECLARE_PER_CPU_ALIGNED(struct tick_cpu, tick_cpus);

/* Why there is no scheduler's tick (tick_sched.c); NULL: there is one. Any context. */
extern const char *tick_sched_missing;

/**
 * tick() - a timer interrupt of this CPU
 * @now: a time in this interrupt
 * @due_ns: when the interrupt was due
 * @on_ns: a time before @due_ns at which interrupts were on, unless the CPU is idle; 0: unknown
 *
 * From @due_ns or the previous tick, whichever is later, the CPU could not take its timer
 * interrupt. All times are CLOCK_MONOTONIC. Context: hardirq.
 */
void tick(u64 now, u64 due_ns, u64 on_ns);

/** tick_sched_init() - queue work that finds the scheduler's tick. Context: process. */
void tick_sched_init(void);

/** tick_sched_exit() - remove the probe. Waits for all CPUs. Context: process. */
void tick_sched_exit(void);

void tick_timer_init(void);

/** tick_timer_start() - start our timer: tick at @due_ns (CLOCK_MONOTONIC). Interrupts are off. */
void tick_timer_start(u64 due_ns);

/** tick_timer_cancel() - stop our timer of a CPU. Waits for its callback. Context: process. */
void tick_timer_cancel(int cpu);

/** tick_timer_runs() - Return: whether our timer of a CPU runs. Context: any but NMI. */
bool tick_timer_runs(int cpu);

#endif /* TRACE_IRQOFF_TICK_H */
