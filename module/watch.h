/* SPDX-License-Identifier: GPL-2.0 */
/* CPUs that look after each other's ticks. */
#ifndef TRACE_IRQOFF_WATCH_H
#define TRACE_IRQOFF_WATCH_H

#include <linux/types.h>

#include "window.h"

/**
 * struct watch_counts - NMIs since the module was loaded
 * @sent: to CPUs that were overdue
 * @taken: by these
 * @late: among the taken, those that came when the tick had come already
 */
struct watch_counts {
	u64 sent;
	u64 taken;
	u64 late;
};

/**
 * watch_init() - get ready
 * @nmi: whether NMIs may be used
 *
 * Without NMIs everything else works; watch_obstacle() says why there are none.
 */
int watch_init(bool nmi);

/**
 * watch_exit() - stop taking NMIs
 *
 * No CPU is watched any more. Waits for NMIs that are on their way, a second at most.
 */
void watch_exit(void);

/** watch_obstacle() - Return: why there are no NMIs, or NULL. */
const char *watch_obstacle(void);

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

/** watch_prepare() - the sampling period is set. Context: no CPU is monitored. */
void watch_prepare(void);

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
 *
 * Until watch_start(). Context: interrupts off, on that CPU. Return: false when it has to
 * go on, because no other one would look after one that is awake.
 */
bool watch_rest(void);

/**
 * watch_alone() - Return: whether one CPU takes ticks, and could be watched, but no
 * other one does. Any context.
 */
bool watch_alone(void);

/** watch_cpu_online() - no NMI is on its way to a CPU that was offline. */
void watch_cpu_online(int cpu);

/**
 * watch_others() - look whether others have missed a tick
 *
 * Those that have are sent an NMI, when it is time for a look at them.
 *
 * Context: hardirq, on a CPU that is monitored itself. Return: false when there is no
 * other one that takes ticks, so that nobody watches this CPU either.
 */
bool watch_others(u64 now);

/**
 * watch_window() - the window since a CPU's tick was due, with the looks that others
 * have had it take
 *
 * The CPU closes it when the tick comes, and opens it for when the next one is due.
 */
struct window *watch_window(int cpu);

void watch_count(struct watch_counts *counts);

#endif /* TRACE_IRQOFF_WATCH_H */
