// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Ticks with the scheduler's tick, an hrtimer of each CPU: a busy CPU takes no interrupt for us,
 * and an idle CPU, whose tick is stopped, is not woken. A probe of the tracepoint
 * hrtimer_expire_entry runs before each hrtimer callback. Context: see tick.h; the probe runs in
 * hardirq or softirq.
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

/*
 * The callback of the scheduler's tick is static: tick_sched_timer() up to 6.7, tick_nohz_handler()
 * from 6.8 on. The probe collects callbacks, and a work item searches them for these names.
 */
#define CALLBACKS_MAX	32
#define SEARCH_MS	100	/* from one search to the next */
#define SEARCHES_MAX	100

static void *tick_callback;	/* of the scheduler's tick; NULL: not found */
static void *callbacks[CALLBACKS_MAX];
static atomic_t nr_callbacks;
static unsigned int searches;

/* @now of the last hrtimer callback on this CPU: the time at which its interrupt began. */
static DEFINE_PER_CPU(u64, interrupt_ns);

/*
 * To register a probe, the kernel patches its code and waits for all CPUs. So loading leaves that
 * to a work item, which runs after an RCU grace period: then no CPU is stuck.
 */
static struct rcu_work register_work;
static struct tracepoint *expire_entry;
static const char *state = "waiting for all CPUs";

static noinline void tick_sched_collect(void *callback)
{
	int nr = atomic_read(&nr_callbacks), i;

	for (i = 0; i < nr; i++)
		if (READ_ONCE(callbacks[i]) == callback)
			return;
	/* If another CPU adds a callback right now, add this one the next time. */
	if (nr < CALLBACKS_MAX && atomic_cmpxchg(&nr_callbacks, nr, nr + 1) == nr)
		WRITE_ONCE(callbacks[nr], callback);
}

/*
 * The expiry of @timer is the time at which the CPU was to take this interrupt. On a busy CPU the
 * kernel has set the expiry at most one scheduler tick ahead, so interrupts were on one tick
 * before. On an idle CPU the expiry is that of the next timer of the timer wheel, which may be far
 * ahead.
 *
 * @now is the time at which the interrupt began. A callback that ran before this one in the same
 * interrupt had the same @now, and may have taken long: then read the clock. (Timers of
 * CLOCK_MONOTONIC run first; other clocks have another @now.)
 */
static void tick_sched_probe(void *unused, struct hrtimer *timer, COMPAT_EXPIRE_NOW)
{
	void *callback = ACCESS_PRIVATE(timer, function), *wanted = READ_ONCE(tick_callback);
	u64 now_ns = compat_expire_now_ns(now), due_ns;
	bool is_first = __this_cpu_read(interrupt_ns) != now_ns;
	u8 use;

	__this_cpu_write(interrupt_ns, now_ns);
	if (callback != wanted) {
		if (unlikely(!wanted))
			tick_sched_collect(callback);
		return;
	}
	use = __this_cpu_read(tick_cpus.sched);
	if (use == TICK_SCHED_OFF || !__this_cpu_read(tick_cpus.running))
		return;
	due_ns = ktime_to_ns(hrtimer_get_expires(timer));
	/* Hide that the tracepoint has disabled preemption: tick() reads preempt_count(). */
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

static bool tick_sched_is_tick(void *callback)
{
	char name[64];

	if (!callback)
		return false;
	snprintf(name, sizeof(name), "%ps", callback);
	/* Compilers add suffixes: .cfi, .llvm.1 */
	*strchrnul(name, '.') = '\0';
	return !strcmp(name, "tick_sched_timer") || !strcmp(name, "tick_nohz_handler");
}

static void tick_sched_search(struct work_struct *work);
static DECLARE_DELAYED_WORK(search_work, tick_sched_search);

static void tick_sched_search(struct work_struct *work)
{
	int i;

	for (i = 0; i < CALLBACKS_MAX; i++) {
		void *callback = READ_ONCE(callbacks[i]);

		if (tick_sched_is_tick(callback)) {
			WRITE_ONCE(tick_callback, callback);
			WRITE_ONCE(state, NULL);
			return;
		}
	}
	if (++searches < SEARCHES_MAX)
		queue_delayed_work(compat_unbound_wq, &search_work, msecs_to_jiffies(SEARCH_MS));
	else
		WRITE_ONCE(state, "not found");
}

static void tick_sched_match(struct tracepoint *tracepoint, void *unused)
{
	if (!strcmp(tracepoint->name, "hrtimer_expire_entry"))
		expire_entry = tracepoint;
}

static void tick_sched_register(struct work_struct *work)
{
	/* Compiles only if the probe has the arguments of the tracepoint. */
	check_trace_callback_type_hrtimer_expire_entry(tick_sched_probe);

	for_each_kernel_tracepoint(tick_sched_match, NULL);
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
	INIT_RCU_WORK(&register_work, tick_sched_register);
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
