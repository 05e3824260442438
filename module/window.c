// SPDX-License-Identifier: GPL-2.0
/*
 * Windows while they are open: one mechanism for both kinds. A softirq window is
 * looked into by the hard tick of its CPU, a hardirq window by an NMI that another
 * CPU sends there. When it is over, its samples go into the record.
 *
 * There is one writer, the CPU itself (until its ticks begin, who tells it to; when they have
 * ended, who has stopped them), and what interrupts it there (a tick, an NMI) completes before
 * it goes on. Readers elsewhere go by @began_ns, which is 0 while a window is being made up, and
 * is not the same for two of them: a copy is good when it was the same before and after. Samples
 * are only ever added, and counted in @nr after they are whole.
 *
 * Context: with each function in window.h.
 */
#include <linux/atomic.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "window.h"

bool window_wants(const struct window *window, u64 latency_ns)
{
	return READ_ONCE(window->nr) < WINDOW_SAMPLES &&
	       latency_ns >= READ_ONCE(window->due_ns);
}

void window_look(struct window *window, u64 now, u64 threshold_ns,
		 enum sample_state state, struct pt_regs *regs)
{
	u64 latency_ns = now - window->began_ns;
	u64 due_ns = threshold_ns;

	sample_take(&window->samples[window->nr], now, latency_ns, state, regs);

	/* It ends at 0, after 64 times, whatever a clock may have said: this may be an NMI. */
	while (due_ns && due_ns <= latency_ns)
		due_ns *= 2;
	WRITE_ONCE(window->due_ns, due_ns);
	/* The sample is whole before it counts. Pairs with window_read(). */
	smp_store_release(&window->nr, window->nr + 1);
}

bool window_read(const struct window *window, struct window *copy)
{
	/* Pairs with window_open(). */
	u64 began_ns = smp_load_acquire(&window->began_ns);

	if (!began_ns)
		return false;

	copy->began_ns = began_ns;
	copy->begin_unseen = READ_ONCE(window->begin_unseen);
	/* Pairs with window_look(). */
	copy->nr = min_t(unsigned int, smp_load_acquire(&window->nr),
			 WINDOW_SAMPLES);
	/* A copy of something that was being written is thrown away. */
	data_race(memcpy(copy->samples, window->samples,
			 copy->nr * sizeof(*copy->samples)));

	/* Pairs with window_close(): has it been the same one all the time? */
	smp_rmb();
	return READ_ONCE(window->began_ns) == began_ns;
}
