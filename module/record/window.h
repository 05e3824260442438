/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* A window that is open on a CPU, with its samples so far. */
#ifndef TRACE_IRQOFF_WINDOW_H
#define TRACE_IRQOFF_WINDOW_H

#include <linux/atomic.h>
#include <linux/types.h>

#include "record/sample.h"

/* Values of @began_ns: see window.c. */
#define WINDOW_OPENING	1
#define WINDOW_ENDING	2

struct pt_regs;
struct record;

/* A window that may be open on a CPU. Times are CLOCK_MONOTONIC. */
struct window {
	u64 began_ns;		/* the window began then or earlier; also its state (window.c) */
	u64 next_ns;		/* when a sample is due; U64_MAX: while one is taken */
	u64 over_ns;		/* when an NMI found that the window was over; 0: no NMI did */
	u64 announced_ns;	/* @at_ns of the newest announced sample, also of an older window */
	u64 asked_ns;		/* when the first NMI was requested; 0: none was */
	u64 paused_ns;		/* sum of the times to answers that took long (nmi.c) */
	u64 spacing_ns;		/* time between samples after the second */
	unsigned int nr;	/* number of samples that are kept */
	enum window_kind kind;	/* an NMI corrects hardirq to softirq with the first sample */
	bool of_idle;		/* the idle task was sampled, whose tick may be stopped */
	bool irqs_on;		/* an NMI found interrupts on, although a tick was overdue */
	bool begin_unseen;	/* the window may be older: the CPU was not monitored before */
	bool announced;		/* listeners know of it: it has reached the threshold */
	struct sample samples[WINDOW_SAMPLES];	/* oldest first */
	struct walk_memory walk;	/* used by window_sample() only */
};

/** window_began() - Return: @began_ns of an open window, or 0 if none is open. Any context. */
static inline u64 window_began(const struct window *window)
{
	/* The fields of an open window are read after this. Pairs with window_open(). */
	u64 began_ns = smp_load_acquire(&window->began_ns);

	return began_ns <= WINDOW_ENDING ? 0 : began_ns;
}

/** window_is_ending() - Return: whether a CPU makes the record of the window. Any context. */
static inline bool window_is_ending(const struct window *window)
{
	return READ_ONCE(window->began_ns) == WINDOW_ENDING;
}

/**
 * window_open() - open a window, unless one is open
 * @began_ns: CLOCK_MONOTONIC, above WINDOW_ENDING
 * @first_ns: the latency at which the first sample is due
 *
 * Context: any. If several CPUs try at once, one of them succeeds.
 */
void window_open(struct window *window, enum window_kind kind, u64 began_ns, u64 first_ns);

/**
 * window_close() - close a window, for window_end() and window_drop() (record.h)
 * @state: 0; or WINDOW_ENDING: the window cannot be opened again before window_end()
 *
 * The samples stay until the next window is opened. Context: any. Return: when the window began; 0
 * if none was open, or another CPU closed it.
 */
u64 window_close(struct window *window, u64 state);

/* Return: whether the CPU was paused for half of the time from the first request to @end_ns. */
static inline bool window_was_paused(const struct window *window, u64 end_ns)
{
	u64 paused_ns = READ_ONCE(window->paused_ns);

	return paused_ns && 2 * paused_ns >= end_ns - READ_ONCE(window->asked_ns);
}

/** window_newest() - Return: the newest of @nr samples; @nr is at least 1. */
static inline const struct sample *window_newest(const struct window *window, unsigned int nr)
{
	return &window->samples[nr - 1];
}

/** window_wants() - Return: whether a sample is due at a latency. Any context. */
static inline bool window_wants(const struct window *window, u64 latency_ns)
{
	return latency_ns >= READ_ONCE(window->next_ns);
}

/**
 * window_sample() - take a sample
 * @window: is open, and wants a sample
 * @began_ns: window_began()
 * @now: CLOCK_MONOTONIC
 * @state: what holds off interrupts or softirqs
 * @regs: registers of the interrupted context
 *
 * Context: hardirq or NMI on the CPU of the window; one at a time.
 */
void window_sample(struct window *window, u64 began_ns, u64 now,
		   enum sample_state state, struct pt_regs *regs);

/**
 * window_read() - copy kind, @begin_unseen and samples of an open window
 *
 * Context: any, on any CPU. Return: when the window began; 0 if none is open, or if a sample is
 * being taken: then @copy is undefined.
 */
u64 window_read(const struct window *window, struct record *copy);

#endif /* TRACE_IRQOFF_WINDOW_H */
