/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* NMIs from a cycle counter of each monitored CPU, for nmi_self(). Context: process. */
#ifndef TRACE_IRQOFF_COUNTER_H
#define TRACE_IRQOFF_COUNTER_H

#include <linux/types.h>

struct cpumask;

/* With fewer cycles from one NMI to the next, a slow CPU would do little else. */
#define COUNTER_CYCLES_MIN	100000

/**
 * counter_init() - to be called before the other functions
 * @period_cyc: cycles from one NMI to the next, at least COUNTER_CYCLES_MIN; 0: no NMIs
 */
void counter_init(u64 period_cyc);

/** counter_exit() - after counter_enable() of no CPUs. Waits for RCU, and for all CPUs. */
void counter_exit(void);

/** counter_enable() - count on @cpus, and on no others, after the next RCU grace period */
void counter_enable(const struct cpumask *cpus);

/** counter_cpu_online() - a CPU comes online, and needs a counter if it is to be monitored */
void counter_cpu_online(void);

/** counter_state() - Return: "on", or "off" and why. */
const char *counter_state(void);

#endif /* TRACE_IRQOFF_COUNTER_H */
