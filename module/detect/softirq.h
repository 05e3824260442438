/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Measures for how long a CPU does not run its softirqs. */
#ifndef TRACE_IRQOFF_SOFTIRQ_H
#define TRACE_IRQOFF_SOFTIRQ_H

#include <linux/types.h>

struct pt_regs;
struct window;

int softirqs_init(void);

/** softirqs_exit() - no tick runs any more. Waits for the soft timers. Context: process. */
void softirqs_exit(void);

/** softirqs_cpu_online() - a CPU has come online. Context: process. */
void softirqs_cpu_online(int cpu);

/**
 * softirqs_start() - this CPU is monitored from now on
 * @now: CLOCK_MONOTONIC
 *
 * If softirqs are delayed already, a window is open from now on. Context: interrupts off.
 */
void softirqs_start(u64 now);

/** softirqs_stop() - a CPU is not monitored any more. Context: process. */
void softirqs_stop(int cpu);

/**
 * softirqs_tick() - check whether softirqs run on this CPU. Context: a tick.
 * @now: CLOCK_MONOTONIC
 * @late_ns: how late this tick is
 * @last_ns: when the previous tick ran
 * @on_ns: see tick()
 */
void softirqs_tick(u64 now, u64 late_ns, u64 last_ns, u64 on_ns);

/**
 * softirqs_sample_nmi() - sample the softirq window of this CPU, if one is open
 *
 * Context: NMI, interrupts of the interrupted context on.
 * Return: whether one is open.
 */
bool softirqs_sample_nmi(u64 now, struct pt_regs *regs);

/** softirqs_window() - Return: the softirq window of a CPU. */
const struct window *softirqs_window(int cpu);

#endif /* TRACE_IRQOFF_SOFTIRQ_H */
