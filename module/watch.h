/* SPDX-License-Identifier: GPL-2.0 */
/* CPUs that look after each other's ticks. */
#ifndef TRACE_IRQOFF_WATCH_H
#define TRACE_IRQOFF_WATCH_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/types.h>

#include "ask.h"

int watch_init(void);
void watch_exit(void);

/**
 * watch_phase() - when in a period a CPU is to tick
 * @rank: its number among the monitored CPUs
 * @nr: how many of these there are
 *
 * Return: an offset below the period; with it, a CPU ticks about a quarter of a
 * period after the one that it watches, so it sees soon that a tick was missed.
 */
u64 watch_phase(unsigned int rank, unsigned int nr);

/* A tick that is so late has been missed. Changes only while no CPU is monitored. */
extern u64 watch_missed_ns;

/**
 * watch_prepare() - the sampling period is set, and whether CPUs can be asked for looks
 *
 * Context: no CPU is monitored.
 */
void watch_prepare(void);

/**
 * watch_told() - a CPU is told to begin: if it does not, that is a window
 * @cpu: the CPU, of which no tick can be running
 * @next_ns: when its first tick is due
 *
 * Context: any; watch_start() and watch_stopped() for that CPU come later.
 */
void watch_told(int cpu, u64 next_ns);

/**
 * watch_start() - the ticks of this CPU begin
 * @next_ns: when its first tick is due
 *
 * Context: interrupts off, on that CPU.
 */
void watch_start(u64 next_ns);

/** watch_stop() - nobody looks after a CPU's ticks any more. Any context. */
void watch_stop(int cpu);

/** watch_stopped() - its last tick has run. Context: process. */
void watch_stopped(int cpu);

/** watch_set_idle() - this CPU goes idle, or wakes. Context: any but NMI, on that CPU. */
void watch_set_idle(bool idle);

/**
 * watch_rest() - nobody need look after this CPU, and it looks after nobody
 * @now: CLOCK_MONOTONIC
 *
 * Until watch_start(). Context: idle task, interrupts off, on that CPU. Return: false
 * when it has to go on, as the watcher of those that are awake.
 */
bool watch_rest(u64 now);

/*
 * The CPU that is idle and ticks all the same. Below 0 there is none; nr_cpu_ids: there need
 * be none, as nobody can be looked into.
 */
extern atomic_t watch_watcher;

/**
 * watch_resign() - this CPU has something to do: it is not the watcher any more
 *
 * Context: any, on that CPU, preemption off. Return: whether it was.
 */
bool watch_resign(void);

/**
 * watch_unattended() - Return: whether no idle CPU ticks to look after those that are
 * awake, and could do so. Any context.
 */
static inline bool watch_unattended(void)
{
	return atomic_read(&watch_watcher) < 0;
}

/**
 * watch_others() - look whether others have missed a tick
 *
 * Those that have are sent an NMI, when it is time for a look at them.
 *
 * Context: hardirq, on a CPU that is monitored itself.
 */
void watch_others(u64 now);

#endif /* TRACE_IRQOFF_WATCH_H */
