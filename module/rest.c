// SPDX-License-Identifier: GPL-2.0
/*
 * Keeps account of a CPU while it is parked.
 *
 * How an idle CPU wakes depends on how it sleeps. With mwait, or by the platform's way,
 * interrupts are off, and it is known to be awake before it takes the one that wakes it.
 * With hlt, as in most virtual machines, that interrupt runs first. If it is the timer's,
 * so does the timer that sampler.c left behind, and softirqs are watched; but whatever else
 * the interrupt did is not, nor are softirqs of other interrupts. Afterwards the kernel's
 * account of the idle time may tell that it took long. This is counted, and the CPU is not
 * parked for a while, so that the next one is seen. From 7.0 on that account has
 * interrupts in it, and tells nothing.
 *
 * Context: with each function in rest.h.
 */
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/smp.h>

#include "compat.h"
#include "rest.h"
#include "settings.h"

/*
 * An interrupt takes no less with its way in and out; the kernel's account is exact to
 * two microseconds.
 */
#define INTERRUPT_NS	(4 * NSEC_PER_USEC)

/* So long a CPU is not parked after it took long to wake. */
#define RESTLESS_NS	(60 * NSEC_PER_SEC)

/**
 * struct rest - one CPU
 * @began_ns: when it was parked, CLOCK_MONOTONIC
 * @idle_us: the kernel's account of its idle time then
 * @not_before_ns: it is not parked again before
 * @unseen: how often it took as long as the threshold to wake
 * @late: interrupts had run when it was last known to be awake
 */
struct rest {
	u64 began_ns;
	u64 idle_us;
	u64 not_before_ns;
	u64 unseen;
	bool late;
};

static DEFINE_PER_CPU(struct rest, rests);

bool rest_begin(u64 now)
{
	struct rest *r = this_cpu_ptr(&rests);

	r->began_ns = now;
	/* Where there is none now, there will be none in the end. */
	compat_idle_time(smp_processor_id(), &r->idle_us);
	return now >= r->not_before_ns;
}

void rest_end(u64 now, bool interrupt)
{
	struct rest *r = this_cpu_ptr(&rests);
	u64 past_ns = now - r->began_ns;
	u64 idle_us, up_ns;

	r->late = interrupt;
	if (!compat_idle_time(smp_processor_id(), &idle_us))
		return;

	/* It has not been out of its idle loop, so it was up with interrupts. */
	up_ns = past_ns - min((idle_us - r->idle_us) * NSEC_PER_USEC, past_ns);
	if (up_ns >= INTERRUPT_NS)
		r->late = true;
	if (up_ns >= READ_ONCE(settings.threshold_ns)) {
		WRITE_ONCE(r->unseen, r->unseen + 1);
		r->not_before_ns = now + RESTLESS_NS;
	}
}

bool rest_late(void)
{
	return this_cpu_ptr(&rests)->late;
}

u64 rest_unseen(void)
{
	u64 unseen = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		unseen += READ_ONCE(per_cpu_ptr(&rests, cpu)->unseen);
	return unseen;
}
