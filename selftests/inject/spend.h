/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pass time inside a function that a test searches for in stacks.
 *
 * All of it is inline: otherwise samples would show a function of this file innermost.
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
 * The clock is read about this often, which bounds how late a window ends. Reading a clock may be
 * slow, and most of the time must pass outside of it.
 */
#define INJECT_READ_NS		5000

/* Iterations of a loop from one reading to the next: the first number, and the largest. */
#define INJECT_TURNS		384
#define INJECT_MAX_TURNS	65536

/*
 * An iteration is 16 NOPs, which an emulator translates into one block. QEMU with -icount splits
 * the block where a timer is due, and keeps a translation for each pair of start and end. When the
 * module is unloaded, QEMU drops them in a time that grows with the square of their number: with
 * 256 NOPs an unload took 70 s. Not cpu_relax(): it makes QEMU leave its fast path.
 */
static __always_inline void inject_nothing(int turns)
{
	while (turns--)
		asm volatile(".rept 16\n\tnop\n\t.endr" : : : "memory");
}

/*
 * Pass the requested time in @something(@turns), in any context. If the CPU of the window went
 * offline, the writer or its timer has been moved to another CPU, which must not be disturbed: then
 * do nothing and leave end_ns at 0.
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
		if (now_ns - last_ns < INJECT_READ_NS && turns < INJECT_MAX_TURNS)
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
 * Stay in the function for a moment after the end of the window. A pending interrupt then
 * interrupts this function and not its caller. And the compiler cannot make a tail call of the call
 * that ended the window, which would take the function off the stack.
 */
static __always_inline void inject_linger(void)
{
	inject_nothing(INJECT_TURNS);
}

/* What run() returns when the window is over. */
static inline int inject_outcome(const struct inject_window *w)
{
	return w->end_ns ? 0 : -ENXIO;
}

#endif /* IRQOFF_INJECT_SPEND_H */
