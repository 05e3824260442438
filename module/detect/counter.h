/* SPDX-License-Identifier: GPL-2.0 */
/* An NMI every so many cycles of each monitored CPU. */
#ifndef TRACE_IRQOFF_COUNTER_H
#define TRACE_IRQOFF_COUNTER_H

#include <linux/types.h>

struct cpumask;
struct pt_regs;

/* Cycles from one NMI to the next. With fewer, a slow CPU would do little else. */
#define COUNTER_CYCLES_MIN	100000

/**
 * counter_init() - get ready
 * @cycles: from one NMI to the next, COUNTER_CYCLES_MIN at least; 0: none
 * @handler: is called in NMI, with the registers of what was interrupted
 *
 * Context: process, before all others.
 */
void counter_init(u64 cycles, void (*handler)(struct pt_regs *regs));

/** counter_exit() - counter_enable() said that none is wanted. Waits for RCU, and for each CPU. */
void counter_exit(void);

/**
 * counter_enable() - begin or stop to count
 * @cpus: those that are to; NULL: none
 *
 * Waits for nobody: counters come and go when RCU knows that each CPU has come by.
 * Context: process.
 */
void counter_enable(const struct cpumask *cpus);

/** counter_cpu_online() - the kernel has stopped those of a CPU that was offline. */
void counter_cpu_online(int cpu);

/** counter_state() - Return: "on", or "off" and why. Context: process. */
const char *counter_state(void);

/** counter_nmis() - Return: how many NMIs there were. Context: process. */
u64 counter_nmis(void);

#endif /* TRACE_IRQOFF_COUNTER_H */
