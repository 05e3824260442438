// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * A window while it is open. Both kinds work alike: the CPU itself or a watcher opens
 * the window, a tick or an NMI on the CPU adds samples, and the CPU that closes the window
 * makes the record. @began_ns arbitrates: only one CPU can set it from 0, and only one
 * can set it back to 0.
 *
 * Context: see window.h.
 */
#include <linux/atomic.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "record/window.h"
#include "settings.h"

#define OPENING		1

void window_open(struct window *window, enum window_kind kind, u64 began_ns, u64 first_ns)
{
	/* A full barrier: window_read() sees the old window closed before it is overwritten. */
	if (cmpxchg(&window->began_ns, 0, OPENING))
		return;
	WRITE_ONCE(window->nr, 0);
	WRITE_ONCE(window->kind, kind);
	WRITE_ONCE(window->idle, false);
	WRITE_ONCE(window->over_ns, 0);
	WRITE_ONCE(window->next_ns, first_ns);
	/* All of the above before the window is seen open. Pairs with window_began(). */
	smp_store_release(&window->began_ns, began_ns);
}

u64 window_close(struct window *window)
{
	u64 began_ns = window_began(window);

	if (!began_ns || cmpxchg(&window->began_ns, began_ns, 0) != began_ns)
		return 0;
	return began_ns;
}

bool window_wants(const struct window *window, u64 latency_ns)
{
	return READ_ONCE(window->nr) < WINDOW_SAMPLES &&
	       latency_ns >= READ_ONCE(window->next_ns);
}

void window_sample(struct window *window, u64 began_ns, u64 now,
		   enum sample_state state, struct pt_regs *regs)
{
	u64 latency_ns = now - began_ns, next_ns = READ_ONCE(settings.threshold_ns);

	sample_take(&window->samples[window->nr], now, latency_ns, state, regs);

	/* Ends after 64 rounds at most, whatever a clock says: this may be an NMI. */
	while (next_ns && next_ns <= latency_ns)
		next_ns *= 2;
	WRITE_ONCE(window->next_ns, next_ns);
	/* The sample is complete before it counts. Pairs with window_read(). */
	smp_store_release(&window->nr, window->nr + 1);
}

bool window_read(const struct window *window, struct window *copy)
{
	u64 began_ns = window_began(window);

	if (!began_ns)
		return false;

	copy->began_ns = began_ns;
	copy->begin_unseen = READ_ONCE(window->begin_unseen);
	copy->kind = READ_ONCE(window->kind);
	/* Pairs with window_sample(). */
	copy->nr = min_t(unsigned int, smp_load_acquire(&window->nr), WINDOW_SAMPLES);
	/* If the samples change meanwhile, the copy is thrown away. */
	data_race(memcpy(copy->samples, window->samples, copy->nr * sizeof(*copy->samples)));

	/* Still the same window after the copy? Pairs with the cmpxchg() in window_open(). */
	smp_rmb();
	return READ_ONCE(window->began_ns) == began_ns;
}
