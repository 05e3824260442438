/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pass time inside a function that a test searches for in stacks.
 *
 * All functions are inline: otherwise samples would show a function of this file innermost.
 */
#ifndef IRQOFF_INJECT_SPEND_H
#define IRQOFF_INJECT_SPEND_H

#include <linux/bottom_half.h>
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "compat.h"
#include "window.h"

/*
 * The time between two readings of the clock: a window ends at most this much late. Reading a clock
 * may be slow. If the clock were read more often, samples would show the function that reads it.
 */
#define INJECT_READ_NS		5000

/* Iterations of a loop between two readings: at the start, and the maximum. */
#define INJECT_ITERATIONS	384
#define INJECT_MAX_ITERATIONS	65536

/*
 * An iteration is 16 NOPs, which an emulator translates into one block. QEMU with -icount splits
 * the block where a timer is due, and keeps a translation for each pair of start and end. To drop
 * the translations, when the module is unloaded, takes a time that grows with the square of their
 * number: 70 s with 256 NOPs. Not cpu_relax(): QEMU would leave its fast path.
 */
static __always_inline void inject_nothing(int iterations)
{
	while (iterations--)
		asm volatile(".rept 16\n\tnop\n\t.endr" : : : "memory");
}

/*
 * Delay softirqs. On PREEMPT_RT since 6.18, without PREEMPT_RT_NEEDS_BH_LOCK, other threads run
 * softirqs while this task has them off, unless it cannot be preempted.
 */
static __always_inline void inject_softirqs_off(void)
{
	local_bh_disable();
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		preempt_disable();
}

static __always_inline void inject_softirqs_on(void)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		preempt_enable();
	local_bh_enable();
}

/* Set the flags that the scheduler sets when another task should run. No task waits. */
static inline void inject_ask_to_leave(void)
{
	set_tsk_thread_flag(current, TIF_NEED_RESCHED);
	set_preempt_need_resched();
}

/**
 * inject_spend_by() - pass the requested time in a function
 * @w: the window
 * @something: the function; its argument is a number of iterations
 *
 * If the CPU of @w has gone offline, the kernel has moved the writer or its timer to another CPU.
 * Then this does nothing, and leaves @w->end_ns at 0. Context: any.
 */
static __always_inline void inject_spend_by(struct inject_window *w,
					    void (*something)(int iterations))
{
	u64 duration_ns = w->amount * NSEC_PER_USEC;
	u64 start_ns = ktime_get_mono_fast_ns();
	u64 now_ns = start_ns;
	u64 last_ns;
	int iterations = INJECT_ITERATIONS;

	if (raw_smp_processor_id() != w->cpu)
		return;

	do {
		something(iterations);
		last_ns = now_ns;
		now_ns = ktime_get_mono_fast_ns();
		if (now_ns - last_ns < INJECT_READ_NS && iterations < INJECT_MAX_ITERATIONS)
			iterations *= 2;
	} while (now_ns - start_ns < duration_ns);

	w->start_ns = start_ns;
	w->end_ns = now_ns;
}

/* Interrupts are off for 7 ms, and then on for 30 us, as in a driver that prints a line. */
static __always_inline void inject_toggle(int unused)
{
	u64 start_ns = ktime_get_mono_fast_ns();

	local_irq_disable();
	while (ktime_get_mono_fast_ns() - start_ns < 7 * NSEC_PER_MSEC)
		inject_nothing(INJECT_ITERATIONS);
	local_irq_enable();
	while (ktime_get_mono_fast_ns() - start_ns < 7 * NSEC_PER_MSEC + 30 * NSEC_PER_USEC)
		inject_nothing(1);
}

/** inject_spend() - pass the requested time in the function that calls this */
static __always_inline void inject_spend(struct inject_window *w)
{
	inject_spend_by(w, inject_nothing);
}

/**
 * inject_linger() - stay in the function that calls this for a moment after the end of the window
 *
 * A pending interrupt then interrupts that function and not its caller. And the compiler cannot
 * make a tail call of the call that ended the window, which would take the function off the stack.
 */
static __always_inline void inject_linger(void)
{
	inject_nothing(INJECT_ITERATIONS);
}

/** inject_start_timer() - reset @w->done; this CPU calls @callback in hardirq after @delay_ns. */
static inline void inject_start_timer(struct inject_window *w,
				      enum hrtimer_restart (*callback)(struct hrtimer *),
				      u64 delay_ns)
{
	reinit_completion(&w->done);
	compat_hrtimer_setup(&w->hrtimer, callback, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(&w->hrtimer, ns_to_ktime(delay_ns), HRTIMER_MODE_REL_PINNED_HARD);
}

#endif /* IRQOFF_INJECT_SPEND_H */
