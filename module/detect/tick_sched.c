// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Ticks from the scheduler's tick, which is an hrtimer of each CPU. The tracepoint
 * hrtimer_expire_entry runs before each hrtimer callback, in hardirq with interrupts off. So
 * a busy CPU takes no interrupt for us, and an idle CPU, whose tick is stopped, is not woken.
 *
 * The callback of the scheduler's tick is static: tick_sched_timer() up to 6.7, tick_nohz_handler()
 * since. The probe collects callbacks, and a work item searches them for these names.
 *
 * The timer of an idle CPU expires with the next timer of the timer wheel. When the CPU leaves
 * idle for a task, the kernel sets it to at most one tick ahead. So an expiry is a time at
 * which this CPU was to take its timer interrupt, and, unless the CPU is idle, one tick before that
 * its interrupts were on.
 *
 * Registering a probe patches the kernel's code, which waits for all CPUs. So a work item does it
 * once, after an RCU grace period has shown that each CPU takes interrupts.
 *
 * Context: see tick.h.
 */
#include <linux/atomic.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <trace/events/timer.h>

#include "compat.h"
#include "detect/tick.h"
#include "record/sample.h"

#define CALLBACKS_MAX	32
#define SEARCH_MS	100	/* from one search among the callbacks to the next */
#define SEARCHES	100	/* then it is given up */

/* When the last interrupt began in which this CPU ran a callback of an hrtimer. */
static DEFINE_PER_CPU(u64, interrupt_ns);

static void *tick_callback;	/* of the scheduler's tick; NULL: not found */
static void *callbacks[CALLBACKS_MAX];
static atomic_t nr_callbacks;

static struct tracepoint *expire_entry;
static struct rcu_work register_work;
static const char *state = "waiting for all CPUs";
static unsigned int searches;

static noinline void collect(void *callback)
{
	int nr = atomic_read(&nr_callbacks), i;

	for (i = 0; i < nr; i++)
		if (READ_ONCE(callbacks[i]) == callback)
			return;
	/* Another CPU may have added it as well, or adds another one right now. */
	if (nr < CALLBACKS_MAX && atomic_cmpxchg(&nr_callbacks, nr, nr + 1) == nr)
		WRITE_ONCE(callbacks[nr], callback);
}

/*
 * Hardirq or softirq, before the callback of any hrtimer: each instruction counts. @now is when the
 * interrupt began. If the callback before this one had the same @now, it ran in this interrupt
 * and may have taken long: read the clock. (Timers of CLOCK_MONOTONIC run before the others.)
 */
static void tick_sched_probe(void *unused, struct hrtimer *timer, COMPAT_EXPIRE_NOW)
{
	void *callback = compat_hrtimer_function(timer), *wanted = READ_ONCE(tick_callback);
	u64 now_ns = compat_expire_now_ns(now), due_ns;
	bool is_first = __this_cpu_read(interrupt_ns) != now_ns;
	u8 use;

	__this_cpu_write(interrupt_ns, now_ns);
	if (callback != wanted) {
		if (unlikely(!wanted))
			collect(callback);
		return;
	}
	use = __this_cpu_read(tick_cpus.sched);
	if (use == TICK_SCHED_OFF || !__this_cpu_read(tick_cpus.running))
		return;
	due_ns = ktime_to_ns(hrtimer_get_expires(timer));
	/* What the interrupted context has disabled counts, not what the tracepoint has. */
	compat_probe_preempt_add(-1);
	if (likely(is_first && use == TICK_SCHED_TICKS)) {
		tick(now_ns, due_ns, due_ns - TICK_NSEC);
	} else {
		if (use == TICK_SCHED_UNPARKS && !sample_idle_task())
			tick_timer_unpark();
		tick(ktime_get_ns(), due_ns, due_ns - TICK_NSEC);
	}
	compat_probe_preempt_add(1);
}

static bool is_tick(void *callback)
{
	static const char * const names[] = { "tick_sched_timer", "tick_nohz_handler" };
	char name[64];
	int i;

	if (!callback)
		return false;
	snprintf(name, sizeof(name), "%ps", callback);
	/* Compilers add .cfi, .llvm. and the like. */
	*strchrnul(name, '.') = '\0';
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static void search(struct work_struct *work);
static DECLARE_DELAYED_WORK(search_work, search);

static void search(struct work_struct *work)
{
	int i;

	for (i = 0; i < CALLBACKS_MAX; i++) {
		void *callback = READ_ONCE(callbacks[i]);

		if (is_tick(callback)) {
			WRITE_ONCE(tick_callback, callback);
			WRITE_ONCE(state, NULL);
			return;
		}
	}
	if (++searches < SEARCHES)
		queue_delayed_work(compat_unbound_wq, &search_work, msecs_to_jiffies(SEARCH_MS));
	else
		WRITE_ONCE(state, "not found");
}

static void find_tracepoint(struct tracepoint *tracepoint, void *unused)
{
	if (!strcmp(tracepoint->name, "hrtimer_expire_entry"))
		expire_entry = tracepoint;
}

static void register_probe(struct work_struct *work)
{
	/* The compiler compares the arguments of the probe with those of the tracepoint. */
	check_trace_callback_type_hrtimer_expire_entry(tick_sched_probe);

	for_each_kernel_tracepoint(find_tracepoint, NULL);
	if (!expire_entry || tracepoint_probe_register(expire_entry, tick_sched_probe, NULL)) {
		expire_entry = NULL;
		WRITE_ONCE(state, "no tracepoint");
		return;
	}
	WRITE_ONCE(state, "searching");
	queue_delayed_work(compat_unbound_wq, &search_work, msecs_to_jiffies(SEARCH_MS));
}

const char *tick_sched_state(void)
{
	return READ_ONCE(state);
}

void tick_sched_init(void)
{
	INIT_RCU_WORK(&register_work, register_probe);
	queue_rcu_work(compat_unbound_wq, &register_work);
}

void tick_sched_exit(void)
{
	flush_rcu_work(&register_work);
	cancel_delayed_work_sync(&search_work);
	if (!expire_entry)
		return;
	tracepoint_probe_unregister(expire_entry, tick_sched_probe, NULL);
	tracepoint_synchronize_unregister();
}
