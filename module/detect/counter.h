/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* NMIs from a cycle counter of each monitored CPU. Context: process. */
#ifndef TRACE_IRQOFF_COUNTER_H
#define TRACE_IRQOFF_COUNTER_H

#include <linux/types.h>

struct cpumask;
struct pt_regs;

/* With fewer cycles from one NMI to the next, a slow CPU would do little else. */
#define COUNTER_CYCLES_MIN	100000

/**
 * counter_init() - before all others
 * @cycles: cycles from one NMI to the next, at least COUNTER_CYCLES_MIN; 0: no NMIs
 * @handler: is called in each NMI, with the registers of the interrupted context
 */
void counter_init(u64 cycles, void (*handler)(struct pt_regs *regs));

/** counter_exit() - after counter_enable(NULL). Waits for RCU, and for all CPUs. */
void counter_exit(void);

/**
 * counter_enable() - count on other CPUs from now on
 * @cpus: these; NULL: none
 *
 * Returns at once: the counters change after an RCU grace period.
 */
void counter_enable(const struct cpumask *cpus);

/** counter_cpu_online() - a CPU has come online: its counter is created anew. */
void counter_cpu_online(void);

/** counter_state() - Return: "on", or "off" and why. */
const char *counter_state(void);

/** counter_nmis() - Return: the number of NMIs since the module was loaded. */
u64 counter_nmis(void);

#endif /* TRACE_IRQOFF_COUNTER_H */
