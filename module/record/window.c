// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Windows while they are open. The CPU itself or a watcher opens a window. A tick or an NMI on the
 * CPU takes samples. The CPU that closes the window may make a record. Context: see window.h.
 */
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "record/record.h"
#include "record/window.h"
#include "settings.h"

/* Between the first two samples, a function may go on that ends before the next sample. */
#define PAIR_NS		(3ULL * NSEC_PER_MSEC)

/*
 * Any CPU may change the state at any time. A cmpxchg decides which CPU opens or closes a window.
 *
 *	began_ns		state		left by			to
 *	0			closed		window_open()		WINDOW_OPENING
 *	WINDOW_OPENING		being opened	window_open()		a time
 *	a time			open		window_close()		0 or WINDOW_ENDING
 *	WINDOW_ENDING		being recorded	window_end()		0
 */
void window_open(struct window *window, enum window_kind kind, u64 began_ns, u64 first_ns)
{
	/* Full barrier: orders WINDOW_OPENING before the stores below. Pairs with window_read(). */
	if (cmpxchg(&window->began_ns, 0, WINDOW_OPENING))
		return;
	WRITE_ONCE(window->nr, 0);
	WRITE_ONCE(window->kind, kind);
	WRITE_ONCE(window->of_idle, false);
	WRITE_ONCE(window->announced, false);
	WRITE_ONCE(window->irqs_on, false);
	WRITE_ONCE(window->over_ns, 0);
	WRITE_ONCE(window->asked_ns, 0);
	WRITE_ONCE(window->paused_ns, 0);
	WRITE_ONCE(window->next_ns, first_ns);
	/* The stores above are seen before the window is open. Pairs with window_began(). */
	smp_store_release(&window->began_ns, began_ns);
}

u64 window_close(struct window *window, u64 state)
{
	u64 began_ns = window_began(window);

	return began_ns && cmpxchg(&window->began_ns, began_ns, state) == began_ns ? began_ns : 0;
}

/* Drop every second sample; the first two stay, which are close together. */
static unsigned int window_thin_out(struct window *window)
{
	unsigned int from, to = 2;

	for (from = 3; from < WINDOW_SAMPLES; from += 2)
		window->samples[to++] = window->samples[from];
	return to;
}

void window_sample(struct window *window, u64 began_ns, u64 now,
		   enum sample_state state, struct pt_regs *regs)
{
	u64 threshold_ns = READ_ONCE(settings.threshold_ns);
	u64 latency_ns = now - began_ns, next_ns;
	unsigned int nr = window->nr;

	WRITE_ONCE(window->next_ns, U64_MAX);
	/* U64_MAX is seen before an older sample is overwritten. Pairs with window_read(). */
	smp_wmb();
	if (!nr)
		window->spacing_ns = max_t(u64, threshold_ns / 4, NSEC_PER_MSEC);
	if (nr == WINDOW_SAMPLES)
		nr = window_thin_out(window);
	sample_take(&window->samples[nr], now, latency_ns, state, regs, &window->walk);

	if (nr + 1 == WINDOW_SAMPLES)
		window->spacing_ns *= 2;
	next_ns = latency_ns + (nr ? window->spacing_ns : min(window->spacing_ns, PAIR_NS));
	/* One sample comes when the window reaches the threshold. */
	if (latency_ns < threshold_ns)
		next_ns = min(next_ns, threshold_ns);
	/* The sample is complete before it counts. Pairs with check_end_window(). */
	smp_store_release(&window->nr, nr + 1);
	/* The sample and ->nr are seen before a new @next_ns. Pairs with window_read(). */
	smp_store_release(&window->next_ns, next_ns);
}

u64 window_read(const struct window *window, struct record *copy)
{
	u64 began_ns = window_began(window);
	/* The samples are read after this. Pairs with the release in window_sample(). */
	u64 next_ns = smp_load_acquire(&window->next_ns);

	if (!began_ns || next_ns == U64_MAX)
		return 0;

	copy->begin_unseen = READ_ONCE(window->begin_unseen);
	copy->kind = READ_ONCE(window->kind);
	copy->nr_samples = READ_ONCE(window->nr);
	/* If the samples change meanwhile, the caller does not use the copy. */
	data_race(memcpy(copy->samples, window->samples,
			 copy->nr_samples * sizeof(*copy->samples)));

	/* Read both again after the copy. Pairs with window_sample() and window_open(). */
	smp_rmb();
	return READ_ONCE(window->next_ns) == next_ns &&
	       READ_ONCE(window->began_ns) == began_ns ? began_ns : 0;
}
