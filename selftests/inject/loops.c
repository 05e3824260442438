// SPDX-License-Identifier: GPL-2.0
/*
 * Loops whose state is known: tests compare samples with it. In each loop, the function loop_NAME
 * goes on. The functions outside of loop_NAME, wait_, wait for one call. loop_NAME calls the
 * functions inside of it, call_, again and again. They return whether to go on.
 *
 * The innermost function reads the clock: otherwise each loop would have more state than intended.
 *
 * Context: any, on the CPU of @w; see contexts.c.
 */
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/spinlock.h>

#include "loops.h"
#include "spend.h"
#include "window.h"

#define CALIBRATION	16384	/* iterations */
#define STEP_NS		2000	/* of an innermost call, without the clock that it reads */
#define INNER_CALLS	25	/* in call_inner(): 50 us */
#define MIDDLE_CALLS	20	/* in call_middle(): 1 ms */
#define LONG_CALLS	8000	/* in call_long(): about 20 ms */
#define RECURSE_CALLS	5
#define DEEP_CALLS	40	/* more than a sample has frames */
#define NR_NODES	65536	/* two samples hardly find loop_list() at the same node */

struct loop_node {
	const struct loop_node *next;
};

struct rounds {
	unsigned long nr;
	const struct loop_node *last;
};

static struct loop_node nodes[NR_NODES];
static u64 calibration_ns;	/* how long CALIBRATION iterations take */
static int step_iterations;
static DEFINE_RAW_SPINLOCK(round_lock);	/* protects nothing */

/* Forces the compiler to keep @state over the calls before, and prevents tail calls. */
static __always_inline void loops_keep(unsigned long state)
{
	asm volatile("" : : "r" (state) : "memory");
}

static __always_inline bool loops_step(struct inject_window *w)
{
	inject_nothing(step_iterations);
	return ktime_get_mono_fast_ns() < w->end_ns;
}

/* Up to @nr calls */
static __always_inline bool loops_repeat(struct inject_window *w,
					 bool (*call)(struct inject_window *w), unsigned long nr)
{
	bool more = true;
	unsigned long i;

	for (i = 0; more && i < nr; i++)
		more = call(w);
	loops_keep(i);
	return more;
}

static noinline __noclone bool call_step(struct inject_window *w)
{
	return loops_step(w);
}

/* A counter, and two call sites */
static noinline __noclone void loop_short(struct inject_window *w)
{
	unsigned long i;

	for (i = 0; ktime_get_mono_fast_ns() < w->end_ns; i++)
		call_step(w);
	loops_keep(i);
}

/* One long call of a function that has no frame: its state is one register. */
static noinline __noclone void loop_leaf(unsigned long iterations)
{
	while (iterations--)
		inject_nothing(1);
}

static noinline __noclone void wait_leaf(struct inject_window *w)
{
	loop_leaf(div64_u64(w->amount * NSEC_PER_USEC * CALIBRATION, calibration_ns));
	barrier();
}

/* Long calls: between samples less than 20 ms apart, only call_long() may have gone on. */
static noinline __noclone bool call_long(struct inject_window *w)
{
	return loops_repeat(w, call_step, LONG_CALLS);
}

static noinline __noclone void loop_calls_long(struct inject_window *w)
{
	loops_repeat(w, call_long, ULONG_MAX);
}

/* Three loops, one inside the other */
static noinline __noclone bool call_inner(struct inject_window *w)
{
	return loops_repeat(w, call_step, INNER_CALLS);
}

static noinline __noclone bool call_middle(struct inject_window *w)
{
	return loops_repeat(w, call_inner, MIDDLE_CALLS);
}

static noinline __noclone void loop_nested3(struct inject_window *w)
{
	loops_repeat(w, call_middle, ULONG_MAX);
}

/* Two registers that a function has to save before it uses them, and one call site */
static noinline __noclone void loop_regs(struct inject_window *w)
{
	unsigned long i = 0, sum = 0;

	while (call_step(w)) {
		sum += ++i;
		OPTIMIZER_HIDE_VAR(sum);
	}
	loops_keep(i);
	loops_keep(sum);
}

static noinline __noclone bool call_other(struct inject_window *w)
{
	return loops_step(w);
}

/* Local memory, and two call sites. Between samples at one call site, only the memory differs. */
static noinline __noclone void loop_locals(struct inject_window *w)
{
	unsigned long local[8] = {};

	do {
		WRITE_ONCE(local[0], READ_ONCE(local[0]) + 1);
		WRITE_ONCE(local[1 + READ_ONCE(local[0]) % 7], READ_ONCE(local[0]));
	} while (READ_ONCE(local[0]) & 1 ? call_other(w) : call_step(w));
}

static noinline __noclone bool call_node(struct inject_window *w, const struct loop_node *node)
{
	return READ_ONCE(node->next) && loops_step(w);
}

/* A pointer in a register, and a struct in the frame of the caller */
static noinline __noclone void loop_caller_struct(struct inject_window *w, struct rounds *rounds)
{
	const struct loop_node *node = nodes;

	do {
		node = node->next;
		rounds->nr++;
		rounds->last = node;
	} while (call_node(w, node));
}

static noinline __noclone void wait_caller_struct(struct inject_window *w)
{
	struct rounds rounds = {};

	loop_caller_struct(w, &rounds);
	loops_keep(rounds.nr);
}

/* A pointer in a register */
static noinline __noclone void loop_list(struct inject_window *w)
{
	const struct loop_node *node = nodes;

	while (call_node(w, node))
		node = node->next;
}

/* Calls of two functions by a pointer */
static noinline __noclone void loop_pointer(struct inject_window *w)
{
	bool (*call)(struct inject_window *w);
	unsigned long i = 0;

	do {
		call = i++ & 1 ? call_other : call_step;
		OPTIMIZER_HIDE_VAR(call);
	} while (call(w));
	loops_keep(i);
}

/*
 * A lock in each round. lockdep would complain: tasks and softirqs take this lock. But a CPU makes
 * one window at a time, so no softirq takes the lock while a task of the CPU has it.
 */
static noinline __noclone void loop_lock(struct inject_window *w)
{
	unsigned long i;
	bool more = true;

	lockdep_off();
	for (i = 0; more; i++) {
		raw_spin_lock(&round_lock);
		more = call_step(w);
		raw_spin_unlock(&round_lock);
	}
	lockdep_on();
	loops_keep(i);
}

/* A tail call: call_tail() is not in the stack while call_tail2() runs. */
static noinline __noclone bool call_tail2(struct inject_window *w)
{
	return loops_step(w);
}

static noinline __noclone bool call_tail(struct inject_window *w)
{
	inject_nothing(1);
	return call_tail2(w);
}

static noinline __noclone void loop_tail(struct inject_window *w)
{
	loops_repeat(w, call_tail, ULONG_MAX);
}

static noinline __noclone bool call_recurse(struct inject_window *w, int calls)
{
	bool more = calls ? call_recurse(w, calls - 1) : call_step(w);

	barrier();	/* no tail call */
	return more;
}

static noinline __noclone void loop_recursion(struct inject_window *w)
{
	unsigned long i = 0;

	while (call_recurse(w, RECURSE_CALLS))
		i++;
	loops_keep(i);
}

/* Outside of the loop are more frames than a sample has. */
static noinline __noclone void loop_deep(struct inject_window *w)
{
	loops_repeat(w, call_step, ULONG_MAX);
}

static noinline __noclone void wait_deeper(struct inject_window *w, int calls)
{
	if (calls)
		wait_deeper(w, calls - 1);
	else
		loop_deep(w);
	barrier();
}

static noinline __noclone void wait_deep(struct inject_window *w)
{
	wait_deeper(w, DEEP_CALLS);
}

static __always_inline void loops_fill(struct inject_window *w, unsigned long *p, int nr)
{
	unsigned long i;

	for (i = 0; call_step(w); i++)
		WRITE_ONCE(p[i % nr], i);
	loops_keep(i);
}

/* A frame of 800 bytes */
static noinline __noclone void loop_bigframe(struct inject_window *w)
{
	unsigned long local[100];

	loops_fill(w, local, ARRAY_SIZE(local));
}

/* The distance from the return address to the local memory varies. */
static noinline __noclone void loop_realigned(struct inject_window *w)
{
	unsigned long local[4] __aligned(32);

	loops_fill(w, local, ARRAY_SIZE(local));
}

static noinline __noclone __cold void loop_cold(struct inject_window *w)
{
	loops_repeat(w, call_step, ULONG_MAX);
}

/* GCC puts the call of a cold function into wait_cold.cold, which begins without a prologue. */
static noinline __noclone void wait_cold(struct inject_window *w)
{
	if (w->end_ns)
		loop_cold(w);
	barrier();
}

const struct inject_loop inject_loops[INJECT_NR_LOOPS] = {
	{ "short",		loop_short },
	{ "leaf",		wait_leaf },
	{ "calls_long",		loop_calls_long },
	{ "nested3",		loop_nested3 },
	{ "regs",		loop_regs },
	{ "locals",		loop_locals },
	{ "caller_struct",	wait_caller_struct },
	{ "list",		loop_list },
	{ "pointer",		loop_pointer },
	{ "lock",		loop_lock },
	{ "tail",		loop_tail },
	{ "recursion",		loop_recursion },
	{ "deep",		wait_deep },
	{ "bigframe",		loop_bigframe },
	{ "realigned",		loop_realigned },
	{ "cold",		wait_cold },
};

void inject_loops_init(void)
{
	unsigned long flags;
	int i;

	for (i = 0; i < NR_NODES; i++)
		nodes[i].next = &nodes[(i + 1) % NR_NODES];

	local_irq_save(flags);
	calibration_ns = ktime_get_mono_fast_ns();
	loop_leaf(CALIBRATION);
	calibration_ns = max(ktime_get_mono_fast_ns() - calibration_ns, 1ULL);
	local_irq_restore(flags);
	step_iterations = div64_u64(STEP_NS * CALIBRATION, calibration_ns);
}
