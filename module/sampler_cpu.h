/* SPDX-License-Identifier: GPL-2.0 */
/* A monitored CPU, as sampler.c and park.c know it. */
#ifndef TRACE_IRQOFF_SAMPLER_CPU_H
#define TRACE_IRQOFF_SAMPLER_CPU_H

#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/smp.h>
#include <linux/spinlock.h>

/**
 * struct sampler - one CPU
 * @lock: protects the flags and the phase; taken with interrupts off, and on a
 *	tick only when it is free
 * @online: the CPU takes part in the system
 * @wanted: it is to be monitored
 * @running: it is being monitored: its timer has been started and not been stopped since
 * @parked: it is, but its timer rests with it
 * @rested: it may be parked: it was idle when it last ticked, or was parked since
 * @called_ns: when it was woken to watch another one; by that one
 * @parks_ns: as if it had been parked once in PARK_NS, up to then
 * @calls_ns: as if it had called another one as seldom as it may, up to then
 * @phase_ns: when in a sampling period it ticks
 * @told_ns: the first tick that it was told to take, 0 when it has begun
 * @start: tells the CPU to start its timer
 * @start_sent: bit 0: that has been sent, and has not begun
 * @hard: the timer
 * @rest: a timer that wakes nobody, and runs while @parked when one of others does
 * @window: open from the time that its next tick is due
 * @ran_ns: the last tick
 * @steal_ns: stolen time that had been accounted at the last tick
 *
 * All times are CLOCK_MONOTONIC.
 */
struct sampler {
	raw_spinlock_t lock;
	bool online;
	bool wanted;
	bool running;
	bool parked;
	bool rested;
	u64 phase_ns;
	u64 told_ns;
	unsigned long start_sent;
	call_single_data_t start;

	struct hrtimer hard;
	struct hrtimer rest;
	struct window *window;
	u64 ran_ns;
	u64 called_ns;
	u64 parks_ns;
	u64 calls_ns;
	u64 steal_ns;
};

extern struct sampler __percpu *samplers;

/** sampler_begin() - ticks begin. Context: interrupts off, on that CPU, with its lock. */
void sampler_begin(struct sampler *s, u64 now);

/** sampler_set_parked() - it rests, or does not. Context: with its lock. */
void sampler_set_parked(struct sampler *s, int cpu, bool value);

/**
 * sampler_wake_watcher() - wake a CPU that rests, so that it watches those that are awake
 *
 * Context: any but NMI, with preemption off.
 */
void sampler_wake_watcher(u64 now);

#endif /* TRACE_IRQOFF_SAMPLER_CPU_H */
