// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Ticks with the scheduler's tick, an hrtimer of each CPU: a busy CPU takes no interrupt for us,
 * and an idle CPU, whose tick is stopped, is not woken. A probe of the tracepoint
 * hrtimer_expire_entry runs before each hrtimer callback. Context: see tick.h; the probe runs in
 * hardirq or softirq.
 */
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <trace/events/timer.h>

#include "compat.h"
#include "detect/tick.h"
#include "record/sample.h"
#include "settings.h"

/*
 * The callback of the scheduler's tick is static. Its name was tick_sched_timer() up to 6.7,
 * tick_nohz_highres_handler() in 6.8, and tick_nohz_handler() since. The probe takes a function of
 * the kernel itself whose name begins with tick_, and whose timer expires twice on one CPU, whole
 * scheduler ticks apart.
 */
static void *tick_callback __read_mostly;	/* NULL: not found */

#define SEARCH_S	20
static unsigned long give_up;	/* jiffies */

/* The search on one CPU: the last function of another name; when one named tick_* was due. */
static DEFINE_PER_CPU(struct search { void *other; u64 due_ns; }, searches);

/* @now of the last hrtimer callback on this CPU: the time at which its interrupt began. */
static DEFINE_PER_CPU(u64, interrupt_ns);

/*
 * To register a probe, the kernel patches its code and waits for all CPUs. So loading leaves that
 * to a work item, which runs after an RCU grace period: then no CPU is stuck.
 */
static struct rcu_work register_work;
static struct tracepoint *expire_entry;

static noinline void tick_sched_search(void *callback, u64 due_ns)
{
	struct search *s = this_cpu_ptr(&searches);
	u64 apart_ns = due_ns - s->due_ns;
	char name[64];

	if (time_after(jiffies, give_up)) {
		if (!READ_ONCE(tick_callback))
			WRITE_ONCE(tick_sched_missing, "not found");
		return;
	}
	if (callback == s->other)
		return;
	snprintf(name, sizeof(name), "%ps", callback);
	/* "name [module]" is no function of the kernel itself. */
	if (!strstarts(name, "tick_") || strchr(name, '[')) {
		s->other = callback;
		return;
	}
	if (s->due_ns && apart_ns && !(apart_ns % TICK_NSEC)) {
		WRITE_ONCE(tick_callback, callback);
		WRITE_ONCE(tick_sched_missing, NULL);
	}
	s->due_ns = due_ns;
}

/*
 * The expiry of @timer is the time at which the CPU was to take this interrupt. On a busy CPU the
 * kernel has set the expiry at most one scheduler tick ahead, so interrupts were on one tick
 * before.
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
	int levels;
	u8 use;

	__this_cpu_write(interrupt_ns, now_ns);
	if (callback != wanted) {
		if (unlikely(!wanted))
			tick_sched_search(callback, ktime_to_ns(hrtimer_get_expires(timer)));
		return;
	}
	use = __this_cpu_read(tick_cpus.sched);
	if (use == TICK_SCHED_OFF || !__this_cpu_read(tick_cpus.running))
		return;
	due_ns = ktime_to_ns(hrtimer_get_expires(timer));
	/* Hide that the tracepoint has disabled preemption: tick() reads preempt_count(). */
	levels = compat_probe_preempt_levels();
	__preempt_count_sub(levels);
	if (likely(is_first && use == TICK_SCHED_TICKS)) {
		tick(now_ns, due_ns, due_ns - TICK_NSEC);
	} else {
		if (use == TICK_SCHED_STARTS_TIMER && !sample_idle_task() &&
		    !tick_timer_runs(smp_processor_id()))
			tick_timer_start(ktime_get_ns() + READ_ONCE(settings.timer_ns));
		tick(ktime_get_ns(), due_ns, due_ns - TICK_NSEC);
	}
	__preempt_count_add(levels);
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
	give_up = jiffies + SEARCH_S * HZ;
	WRITE_ONCE(tick_sched_missing, "searching");
	if (!expire_entry || tracepoint_probe_register(expire_entry, tick_sched_probe, NULL)) {
		expire_entry = NULL;
		WRITE_ONCE(tick_sched_missing, "no tracepoint");
	}
}

void tick_sched_init(void)
{
	WRITE_ONCE(tick_sched_missing, "waiting for all CPUs");
	INIT_RCU_WORK(&register_work, tick_sched_register);
	queue_rcu_work(compat_unbound_wq, &register_work);
}

void tick_sched_exit(void)
{
	flush_rcu_work(&register_work);
	if (!expire_entry)
		return;
	/*
	 * The kernel patches its code with locks held, and waits for all CPUs. When an RCU grace
	 * period has passed, no CPU is stuck.
	 */
	synchronize_rcu();
	tracepoint_probe_unregister(expire_entry, tick_sched_probe, NULL);
	tracepoint_synchronize_unregister();
}
