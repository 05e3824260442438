// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * A window while it is open. Both kinds work alike: the CPU itself or a watcher opens the window, a
 * tick or an NMI on the CPU adds samples, and the CPU that closes the window makes the record.
 * @began_ns arbitrates: only one CPU can set it from 0, and only one can set it back to 0.
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
	return latency_ns >= READ_ONCE(window->next_ns);
}

void window_sample(struct window *window, u64 began_ns, u64 now,
		   enum sample_state state, struct pt_regs *regs)
{
	u64 latency_ns = now - began_ns, next_ns = READ_ONCE(settings.threshold_ns);

	WRITE_ONCE(window->next_ns, U64_MAX);
	/* An older sample is overwritten after this. Pairs with window_read(). */
	smp_wmb();
	sample_take(&window->samples[window_slot(window->nr)], now, latency_ns, state, regs);

	/* Ends after 64 rounds at most, whatever a clock says: this may be an NMI. */
	while (next_ns && next_ns <= latency_ns)
		next_ns *= 2;
	/* The sample is complete before it counts. Pairs with check_end_window(). */
	smp_store_release(&window->nr, window->nr + 1);
	/* Pairs with window_read(). */
	smp_store_release(&window->next_ns, next_ns);
}

unsigned int window_copy_samples(const struct window *window, unsigned int nr,
				 struct sample to[WINDOW_SAMPLES])
{
	unsigned int kept = min_t(unsigned int, nr, WINDOW_SAMPLES), i;

	for (i = 0; i < kept; i++)
		to[i] = window->samples[window_slot(i < 2 ? i : nr - kept + i)];
	return kept;
}

bool window_read(const struct window *window, struct window *copy)
{
	u64 began_ns = window_began(window);
	/* Pairs with window_sample(). */
	u64 next_ns = smp_load_acquire(&window->next_ns);

	if (!began_ns || next_ns == U64_MAX)
		return false;

	copy->began_ns = began_ns;
	copy->begin_unseen = READ_ONCE(window->begin_unseen);
	copy->kind = READ_ONCE(window->kind);
	/* If the samples change meanwhile, the copy is thrown away. */
	copy->nr = data_race(window_copy_samples(window, READ_ONCE(window->nr), copy->samples));

	/*
	 * Still the same window and samples after the copy? Pairs with window_sample(), and with
	 * the cmpxchg() in window_open().
	 */
	smp_rmb();
	return READ_ONCE(window->next_ns) == next_ns && READ_ONCE(window->began_ns) == began_ns;
}
