/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out for how long softirqs do not run on a CPU. */
#ifndef TRACE_IRQOFF_SOFTIRQS_H
#define TRACE_IRQOFF_SOFTIRQS_H

#include <linux/types.h>

struct sample;
struct window;

int softirqs_init(void);
void softirqs_exit(void);

/** softirqs_cpu_online() - a CPU has come. Context: process. */
void softirqs_cpu_online(int cpu);

/**
 * softirqs_start() - the hard ticks of this CPU begin
 * @now: CLOCK_MONOTONIC
 *
 * Context: interrupts off, on that CPU.
 */
void softirqs_start(u64 now);

/**
 * softirqs_first() - and it was not monitored before
 *
 * If softirqs are held up already, a window is open from now on. Context: likewise.
 */
void softirqs_first(u64 now);

/** softirqs_stop() - its last hard tick has run. Context: process. */
void softirqs_stop(int cpu);

/** softirqs_free() - Return: whether softirqs run on this CPU right now. Context: hardirq. */
bool softirqs_free(void);

/**
 * softirqs_tick() - look whether softirqs run on this CPU
 * @now: CLOCK_MONOTONIC
 * @late_ns: by so much this hard tick is late
 * @last_ns: when the last one ran
 *
 * Context: hardirq.
 */
void softirqs_tick(u64 now, u64 late_ns, u64 last_ns);

/**
 * softirqs_follow() - softirqs run when this interrupt is over
 * @now: CLOCK_MONOTONIC
 *
 * And no hard tick comes in time to tell that they do. A window is open from now on, until those
 * of timers have run. Context: hardirq.
 */
void softirqs_follow(u64 now);

/**
 * softirqs_early() - Return: a look that a CPU may use, or may be writing right now
 */
const struct sample *softirqs_early(int cpu);

/** softirqs_window() - Return: the softirq window of a CPU. */
const struct window *softirqs_window(int cpu);

#endif /* TRACE_IRQOFF_SOFTIRQS_H */
