// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * A tick measures how late its timer interrupt is: for at least that long the CPU took no
 * interrupts. Each tick also looks for delayed softirqs (softirqs.c) and for kernel code that keeps
 * the CPU (nosched.c), and checks other CPUs if no watcher does (watch.c).
 *
 * A late tick of an idle CPU means nothing: the kernel may arm it with an expiry in the past
 * (tick_nohz_next_event()), and no tick may come while softirqs of the idle task run. Checks find
 * the windows of idle CPUs (check.c). Context: hardirq.
 */
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

#include "detect/delays.h"
#include "detect/nmi.h"
#include "detect/tick.h"
#include "detect/watch.h"
#include "record/histogram.h"
#include "record/record.h"
#include "record/sample.h"
#include "record/window.h"
#include "settings.h"

DEFINE_PER_CPU_ALIGNED(struct tick_cpu, tick_cpus);
const char *tick_sched_missing __read_mostly;

/*
 * Is the open window over, because it is one of the idle task? The newest sample tells, which was
 * taken before this tick was due. Without a sample, the begin tells: a window begins one interval
 * after the CPU was last seen alive, and a busy CPU has missed a tick by then. (One more interval,
 * as the first tick after cpus_start() is due later.)
 */
static bool tick_window_is_over(const struct tick_cpu *c, const struct window *window, u64 due_ns)
{
	unsigned int nr = READ_ONCE(window->nr);
	u64 began_ns = window_began(window);

	if (READ_ONCE(window->over_ns))
		return true;
	if (!nr)
		return began_ns && began_ns + c->interval_ns < due_ns;
	return READ_ONCE(window->of_idle) && window_newest(window, nr)->at_ns < due_ns;
}

/*
 * This CPU is busy, and its tick came late: interrupts were off, or the CPU was paused. The window
 * that a check has opened ends now. One that is over is left to a check. Return: length of the
 * window that was recorded, or 0.
 */
static u64 tick_late(struct tick_cpu *c, u64 now, u64 due_ns, u64 on_ns)
{
	struct window *window = check_window(smp_processor_id());
	struct window_end end = {
		.kind = WINDOW_HARDIRQ,
		.cpu = smp_processor_id(),
		.state = STATE_IRQ_OFF,
		.begin_unseen = READ_ONCE(window->begin_unseen),
		.end_ns = now,
		.latency_ns = now - due_ns,
		.max_ns = now - min(due_ns, on_ns),
		.steal_ns = READ_ONCE(c->steal_ns),
	};

	/*
	 * Orders the store of ran_ns before the loads of the window. Pairs with the smp_mb() in
	 * check_open_window(): either this sees the new window, or the watcher sees ran_ns.
	 */
	smp_mb();
	if (tick_window_is_over(c, window, due_ns) || !window_close(window, WINDOW_ENDING)) {
		WRITE_ONCE(window->begin_unseen, false);
		return window_end(NULL, &end) ? end.latency_ns : 0;
	}
	/* Since its last tick, which read its stolen time, this CPU may have been idle. */
	end.steal_ns = max(end.steal_ns, check_steal_ns(end.cpu));
	end.paused_ns = READ_ONCE(window->paused_ns);
	if (READ_ONCE(window->irqs_on))
		end.state = STATE_IRQ_ON;
	else if (window_was_paused(window, now))
		end.state = STATE_PAUSED;
	if (end.state != STATE_IRQ_ON)
		end.nr_samples = READ_ONCE(window->nr);
	return window_end(window, &end) ? end.latency_ns : 0;
}

static __always_inline void tick_count(struct tick_cpu *c, u64 late_ns)
{
	WRITE_ONCE(c->steal_ns, this_cpu_read(kernel_cpustat.cpustat[CPUTIME_STEAL]));
	histogram_add(WINDOW_HARDIRQ, late_ns);
}

/* Checks find the windows of this CPU, which is idle. @late_ns may be too long, as said above. */
static void tick_idle(struct tick_cpu *c, u64 now, u64 late_ns)
{
	/* A tick on top of a softirq or another interrupt does not show that the CPU is alive. */
	if (hardirq_count() == HARDIRQ_OFFSET && !softirq_count())
		WRITE_ONCE(c->ran_ns, now);
	else if (!softirqs_tick_idle(now, READ_ONCE(c->ran_ns)) && !check_was_idle_since())
		nmi_sample_in_tick(now);
	WRITE_ONCE(c->steal_ns, record_steal(smp_processor_id()));
	if (__this_cpu_read(record_unsettled))
		record_settle(false);
	nosched_end_idle(now);
	if (now >= READ_ONCE(c->group->silent_from_ns))
		watch_check(now, late_ns);
}

static noinline void tick_slowpath(struct tick_cpu *c, u64 now, u64 due_ns, u64 last_ns, u64 on_ns)
{
	u64 late_ns = now - due_ns, recorded_ns = 0;
	bool late = late_ns >= READ_ONCE(settings.late_ns);

	if (sample_idle_task()) {
		if (!check_is_alone()) {
			tick_idle(c, now, late_ns);
			return;
		}
		on_ns = 0;
	}
	/* Not for a second tick in one interrupt: the kernel has not accounted stolen time yet. */
	if (__this_cpu_read(record_unsettled) &&
	    now - last_ns >= min_t(u64, READ_ONCE(settings.timer_ns), TICK_NSEC) / 2)
		record_settle(late);
	if (late) {
		WRITE_ONCE(c->uses_window, true);
		/* A check that sees the new @ran_ns sees @uses_window. Pairs with check_one(). */
		smp_store_release(&c->ran_ns, now);
		recorded_ns = tick_late(c, now, due_ns, max(last_ns, on_ns));
		/* A check that sees this sees the window closed. Pairs with check_one(). */
		smp_store_release(&c->uses_window, false);
	}
	WRITE_ONCE(c->ran_ns, now);
	tick_count(c, late_ns);
	if (softirqs_may_be_delayed()) {
		histogram_softirqs_delayed();
		softirqs_tick(now, recorded_ns, last_ns, on_ns);
	}
	if (nosched_is_possible())
		nosched_tick(now, recorded_ns, last_ns, on_ns);
	if (now >= READ_ONCE(c->group->silent_from_ns))
		watch_check(now, late_ns);
}

void tick(u64 now, u64 due_ns, u64 on_ns)
{
	struct tick_cpu *c = this_cpu_ptr(&tick_cpus);
	/* Another CPU may just have restarted this one (cpus_start()). */
	u64 last_ns = READ_ONCE(c->ran_ns);

	/* If the other source has ticked in this interrupt, this tick is on time. */
	due_ns = min(max(due_ns, last_ns), now);
	if (unlikely(now - due_ns >= READ_ONCE(settings.late_ns) ||
		     now >= READ_ONCE(c->group->silent_from_ns) ||
		     __this_cpu_read(record_unsettled) || softirqs_may_be_delayed() ||
		     nosched_is_possible())) {
		tick_slowpath(c, now, due_ns, last_ns, on_ns);
		return;
	}
	WRITE_ONCE(c->ran_ns, now);
	tick_count(c, now - due_ns);
}
