// SPDX-License-Identifier: GPL-2.0
/*
 * Calls another CPU by an interrupt: to begin, to watch the others, or to show that it takes
 * interrupts. A CPU that has interrupts off answers when they are on again.
 *
 * The kernel wants a call to be sent again only after it has begun, and leaves that to its
 * callers. A bit for each CPU keeps them apart.
 *
 * Context: with each function in call.h.
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>

#include "call.h"

/**
 * struct call - one CPU
 * @csd: the kernel's part
 * @sent: bit 0: the call has been sent, and has not begun
 * @why: reasons that it has not answered yet
 * @at_ns: when it was sent, CLOCK_MONOTONIC
 */
struct call {
	call_single_data_t csd;
	unsigned long sent;
	atomic_t why;
	u64 at_ns;
};

static struct call __percpu *calls;
static void (*answer_call)(unsigned int why, u64 at_ns);

/* Calls that have been sent and have not been answered. */
static atomic_t nr_calls;

/* Hardirq. */
static void answer(void *info)
{
	struct call *c = info;
	u64 at_ns = READ_ONCE(c->at_ns);

	/*
	 * The kernel is done with it, so it may be sent again. Who found that it had been
	 * sent wrote before what is read now: pairs with call_cpu().
	 */
	clear_bit(0, &c->sent);
	smp_mb__after_atomic();	/* likewise */
	answer_call(atomic_xchg(&c->why, 0), at_ns);
	atomic_dec(&nr_calls);
}

void call_cpu(int cpu, unsigned int why, u64 now)
{
	struct call *c = per_cpu_ptr(calls, cpu);

	atomic_or(why, &c->why);
	/* A call that has not begun finds what was written up to here. */
	smp_mb__before_atomic();
	if (test_and_set_bit(0, &c->sent))
		return;
	WRITE_ONCE(c->at_ns, now);
	atomic_inc(&nr_calls);
	if (!smp_call_function_single_async(cpu, &c->csd))
		return;
	/* Offline. When it comes online it looks by itself what it has to do. */
	atomic_set(&c->why, 0);
	clear_bit(0, &c->sent);
	atomic_dec(&nr_calls);
}

bool call_pending(int cpu)
{
	return test_bit(0, &per_cpu_ptr(calls, cpu)->sent);
}

int call_init(void (*func)(unsigned int why, u64 at_ns))
{
	int cpu;

	calls = alloc_percpu(struct call);
	if (!calls)
		return -ENOMEM;

	answer_call = func;
	for_each_possible_cpu(cpu) {
		struct call *c = per_cpu_ptr(calls, cpu);

		c->csd.func = answer;
		c->csd.info = c;
	}
	return 0;
}

void call_exit(void)
{
	while (atomic_read(&nr_calls))
		usleep_range(1000, 2000);
	/* The last answer has counted itself off, but may not have returned yet. */
	synchronize_rcu();
	free_percpu(calls);
}
