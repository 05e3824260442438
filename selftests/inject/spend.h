/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Passing time in a function that is to be found in a stack
 *
 * All of it is inline: a frame more would be what a trace shows.
 */
#ifndef IRQOFF_INJECT_SPEND_H
#define IRQOFF_INJECT_SPEND_H

#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/smp.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>

#include "window.h"

/*
 * From one look at the clock to the next: they bound how late a window ends. Most of the
 * time is to be spent outside of the clock, however slow it is.
 */
#define INJECT_LOOK_NS		5000

/* Turns of a loop in between, to begin with and at most. */
#define INJECT_TURNS		384
#define INJECT_MAX_TURNS	65536

/*
 * A turn is 16 times nothing, which an emulator gets done at once. One that counts
 * instructions cuts a row of these wherever a timer is due, keeps a translation for each pair
 * of places where it has begun and ended, and takes the square of their number to forget them
 * when the module goes: with 256 the unload took 70 s of the host. Not cpu_relax(): it leaves
 * its fast path for that.
 */
static __always_inline void inject_nothing(int turns)
{
	while (turns--)
		asm volatile(".rept 16\n\tnop\n\t.endr" : : : "memory");
}

/*
 * Pass the time asked for, in any context, by so many turns of something. If the CPU went
 * offline while the writer or its timer was on the way, this is another CPU, which nobody
 * asked to disturb: then do nothing and leave end_ns at 0.
 */
static __always_inline void inject_spend_by(struct inject_window *w,
					    void (*something)(int turns))
{
	u64 duration_ns = w->amount * NSEC_PER_USEC;
	u64 start_ns = ktime_get_mono_fast_ns();
	u64 now_ns = start_ns;
	u64 last_ns;
	int turns = INJECT_TURNS;

	if (raw_smp_processor_id() != w->cpu)
		return;

	do {
		something(turns);
		last_ns = now_ns;
		now_ns = ktime_get_mono_fast_ns();
		if (now_ns - last_ns < INJECT_LOOK_NS && turns < INJECT_MAX_TURNS)
			turns *= 2;
	} while (now_ns - start_ns < duration_ns);

	w->start_ns = start_ns;
	w->end_ns = now_ns;
}

static __always_inline void inject_spend(struct inject_window *w)
{
	inject_spend_by(w, inject_nothing);
}

/*
 * Stay in the function for a moment after it ended the window. An interrupt
 * that has been waiting comes in here and not in the caller, and the compiler
 * cannot turn the call that ended the window into a jump that takes the
 * function off the stack.
 */
static __always_inline void inject_linger(void)
{
	inject_nothing(INJECT_TURNS);
}

/* What run() returns once nothing is under way any more. */
static inline int inject_outcome(const struct inject_window *w)
{
	return w->end_ns ? 0 : -ENXIO;
}

#endif /* IRQOFF_INJECT_SPEND_H */
