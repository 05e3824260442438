/* SPDX-License-Identifier: GPL-2.0 */
/* Finds kernel code that does not let go of its CPU though it is asked to. */
#ifndef TRACE_IRQOFF_NOSCHED_H
#define TRACE_IRQOFF_NOSCHED_H

#include <linux/compiler.h>
#include <linux/sched.h>
#include <linux/types.h>

struct sample;
struct window;

int nosched_init(void);
void nosched_exit(void);

/** nosched_first() - this CPU is monitored from now on, and was not before. Interrupts off. */
void nosched_first(u64 now);

/** nosched_stop() - the last hard tick of a CPU has run. Context: process. */
void nosched_stop(int cpu);

/* The current task was asked to leave the CPU. As nosched_tick(). */
void nosched_asked(u64 now, u64 late_ns, u64 last_ns);

/**
 * nosched_tick() - look whether the current task is to leave this CPU
 * @now: CLOCK_MONOTONIC
 * @late_ns: how late this tick is
 * @last_ns: when the last hard tick ran
 *
 * Context: hardirq.
 */
static __always_inline void nosched_tick(u64 now, u64 late_ns, u64 last_ns)
{
	if (unlikely(need_resched()))
		nosched_asked(now, late_ns, last_ns);
}

/**
 * nosched_hook() - have the kernel tell when tasks are asked to leave, or not any more
 *
 * If it can, and nosched windows are looked for. Context: process, waits for all CPUs. What still
 * runs of it, tracepoint_synchronize_unregister() waits for.
 */
void nosched_hook(bool hook);

/** nosched_hooked() - Return: whether it does. */
bool nosched_hooked(void);

/** nosched_window() - Return: the window of a CPU. */
const struct window *nosched_window(int cpu);

/** nosched_last() - Return: a look that a CPU may use, or may be writing right now. */
const struct sample *nosched_last(int cpu);

#endif /* TRACE_IRQOFF_NOSCHED_H */
