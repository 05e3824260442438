/* SPDX-License-Identifier: GPL-2.0 */
/* A window that is open on a CPU, and the looks into it so far. */
#ifndef TRACE_IRQOFF_WINDOW_H
#define TRACE_IRQOFF_WINDOW_H

#include <linux/atomic.h>
#include <linux/types.h>

#include "sample.h"

struct pt_regs;

/**
 * struct window - may be open on a CPU
 * @began_ns: since when, CLOCK_MONOTONIC: no later than this, as a lower bound of
 *	its length counts from here. Tells windows apart. 0 when none is open
 * @due_ns: the latency at which to look next
 * @nr: how many of @samples there are
 * @begin_unseen: it may have begun long before @began_ns, when the CPU was not monitored
 * @samples: the looks so far, oldest first
 *
 * Written on the CPU that it belongs to, read anywhere (window.c says how).
 */
struct window {
	u64 began_ns;
	u64 due_ns;
	unsigned int nr;
	bool begin_unseen;
	struct sample samples[WINDOW_SAMPLES];
};

/**
 * window_open() - a window may have begun
 * @window: no other is open in it
 * @began_ns: as above, may lie ahead
 * @due_ns: the latency at which to look first
 *
 * Context: interrupts off, on the CPU that it belongs to; or anywhere when that CPU does
 * not use it yet.
 */
static inline void window_open(struct window *window, u64 began_ns, u64 due_ns)
{
	WRITE_ONCE(window->nr, 0);
	WRITE_ONCE(window->due_ns, due_ns);
	/* It is made up before it can be seen. Pairs with window_read(). */
	smp_store_release(&window->began_ns, began_ns);
}

/**
 * window_close() - it is over; the samples stay until the next one is opened
 *
 * Context: as above, or anywhere once its CPU does not use it any more.
 */
static inline void window_close(struct window *window)
{
	WRITE_ONCE(window->began_ns, 0);
	/*
	 * It is seen to be closed before the next one's samples are written over
	 * its own. Pairs with the smp_rmb() in window_read().
	 */
	smp_wmb();
}

/** window_wants() - Return: whether a look is due at a latency. Any context. */
bool window_wants(const struct window *window, u64 latency_ns);

/**
 * window_look() - take a sample, and set when to take the next one
 * @window: is open, and wants it
 * @now: CLOCK_MONOTONIC
 * @threshold_ns: the next one is due there, or where the latency has doubled
 * @state: what the CPU is kept by
 * @regs: registers of the context that was interrupted
 *
 * Context: hardirq or NMI, on the CPU that it belongs to.
 */
void window_look(struct window *window, u64 now, u64 threshold_ns,
		 enum sample_state state, struct pt_regs *regs);

/**
 * window_read() - copy a window that is open
 *
 * Context: process, on any CPU.
 * Return: false when none is open; @copy is then undefined.
 */
bool window_read(const struct window *window, struct window *copy);

#endif /* TRACE_IRQOFF_WINDOW_H */
