/* SPDX-License-Identifier: GPL-2.0 */
/* Asks a CPU that has missed its tick for a look at itself, by NMI. */
#ifndef TRACE_IRQOFF_ASK_H
#define TRACE_IRQOFF_ASK_H

#include <linux/cpumask.h>
#include <linux/types.h>

#include "window.h"

/**
 * struct ask_counts - NMIs since the module was loaded
 * @sent: to CPUs that were overdue
 * @taken: by these
 * @late: among the taken, those that came when the tick had come already
 */
struct ask_counts {
	u64 sent;
	u64 taken;
	u64 late;
};

/**
 * ask_init() - get ready
 * @nmi: whether NMIs may be used: 0 no, 1 yes, below 0 where no driver is known that may
 *	panic on them
 * @cycles: a CPU is to look at itself each so many cycles; 0: never (counter.h)
 *
 * Without NMIs everything else works; ask_obstacle says why there are none.
 */
int ask_init(int nmi, u64 cycles);

/**
 * ask_exit() - stop taking NMIs
 *
 * No CPU is watched any more. Waits for NMIs that are on their way, ten seconds at
 * most, and for RCU.
 */
void ask_exit(void);

/**
 * ask_enable() - begin or stop to take NMIs
 * @cpus: those that are to be monitored; NULL: none
 *
 * No CPU is watched yet, or any more. Waits for no CPU: the handlers are taken away
 * when RCU knows that each has come by. Context: process, callers take turns.
 */
void ask_enable(const struct cpumask *cpus);

/** ask_obstacle - why there are no NMIs, or NULL. Read with READ_ONCE(). */
extern const char *ask_obstacle;

/**
 * ask_for_look() - send an NMI to a CPU, unless one is on its way
 *
 * Context: hardirq. Return: whether one was sent.
 */
bool ask_for_look(int cpu, u64 now);

/** ask_cpu_online() - no NMI is on its way to a CPU that was offline. Context: process. */
void ask_cpu_online(int cpu);

/**
 * ask_window() - the window since a CPU's tick was due, with the looks that others
 * have had it take
 *
 * The CPU closes it when the tick comes, and opens it for when the next one is due.
 */
struct window *ask_window(int cpu);

/**
 * ask_close() - close that of a CPU which ticks no more
 *
 * When it returns no NMI is at work on it any more, so that it may be opened again. Like
 * stopping a timer it waits for a handler that runs right now, and for nothing else.
 * Context: process.
 */
void ask_close(int cpu);

void ask_count(struct ask_counts *counts);

#endif /* TRACE_IRQOFF_ASK_H */
