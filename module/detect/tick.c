// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * What a tick does. It measures how late its timer interrupt is: for at least that long the CPU
 * took no interrupts. It checks whether softirqs run (softirq.c), and now and then whether
 * the watchers do (watch.c).
 *
 * Context: hardirq.
 */
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <asm/irq_regs.h>

#include "detect/nmi.h"
#include "detect/softirq.h"
#include "detect/tick.h"
#include "detect/watch.h"
#include "record/histogram.h"
#include "record/record.h"
#include "record/sample.h"
#include "record/window.h"
#include "settings.h"

DEFINE_PER_CPU(struct tick_cpu, tick_cpus);

/*
 * On an idle CPU the watcher that opened the window also closes it: if softirqs ran, or if there
 * is no sample and the tick is late by less than the threshold, as it may have been due late.
 */
static bool leave_to_watcher(const struct window *window, unsigned int nr, bool is_long)
{
	return sample_idle_task() && (nr ? window->kind == WINDOW_SOFTIRQ : !is_long);
}

/*
 * Interrupts were off. If a watcher has opened a window, it has the samples; its begin may lie
 * before @due_ns if the CPU was idle, as the timer of an idle CPU is due much later.
 */
static void tick_late(struct tick_cpu *c, u64 now, u64 due_ns, u64 on_ns)
{
	struct window *window = nmi_window(smp_processor_id());
	bool is_long = now - due_ns >= READ_ONCE(settings.threshold_ns);
	u64 began_ns = 0, over_ns;
	unsigned int nr;
	bool leave;

	/*
	 * A watcher that still sees the old ran_ns must not open a new window: see
	 * open_window() in check.c. Pairs with the smp_mb() there.
	 */
	smp_mb();
	c->recording = true;
	barrier();
	/* Read these before it is closed: then a watcher may open it again. */
	nr = window_began(window) ? READ_ONCE(window->nr) : 0;
	over_ns = READ_ONCE(window->over_ns);
	leave = leave_to_watcher(window, nr, is_long);
	if (!leave)
		began_ns = window_close(window);
	if (!began_ns || over_ns)
		nr = 0;
	else if (nr)
		due_ns = min(due_ns, began_ns);
	if (!leave && now - due_ns >= READ_ONCE(settings.threshold_ns))
		record_add(&(struct ended_window) {
			.kind = WINDOW_HARDIRQ,
			.cpu = smp_processor_id(),
			.end_ns = now,
			.latency_ns = now - due_ns,
			.max_ns = now - min(due_ns, on_ns),
			.steal_ns = c->steal_ns,
			.window = window,
			.nr_samples = nr,
			.regs = get_irq_regs(),
		});
	WRITE_ONCE(window->begin_unseen, false);
	barrier();
	c->recording = false;
}

static __always_inline void count_tick(struct tick_cpu *c, u64 late_ns)
{
	WRITE_ONCE(c->steal_ns, this_cpu_read(kernel_cpustat.cpustat[CPUTIME_STEAL]));
	histogram_add(WINDOW_HARDIRQ, late_ns);
}

static noinline void tick_slowpath(struct tick_cpu *c, u64 now, u64 due_ns, u64 last_ns, u64 on_ns)
{
	u64 late_ns = now - due_ns;

	/* Not in the same interrupt by the other source: the kernel accounts stolen time later. */
	if (__this_cpu_read(record_unsettled) && now - last_ns >= settings.off_ns)
		record_settle(late_ns >= settings.off_ns);
	if (late_ns >= READ_ONCE(settings.late_ns))
		tick_late(c, now, due_ns, sample_idle_task() ? last_ns : max(last_ns, on_ns));
	count_tick(c, late_ns);
	if (softirqs_may_be_delayed())
		softirqs_tick(now, late_ns, last_ns, on_ns);
	if (now >= READ_ONCE(watch_due_ns))
		watch_check(now, late_ns);
}

void tick(u64 now, u64 due_ns, u64 on_ns)
{
	struct tick_cpu *c = this_cpu_ptr(&tick_cpus);
	u64 last_ns = c->ran_ns;

	/* If the other source has ticked in this interrupt, this tick is not late. */
	due_ns = min(max(due_ns, last_ns), now);
	WRITE_ONCE(c->ran_ns, now);
	if (unlikely(now - due_ns >= READ_ONCE(settings.late_ns) ||
		     now >= READ_ONCE(watch_due_ns) ||
		     __this_cpu_read(record_unsettled) || softirqs_may_be_delayed()))
		tick_slowpath(c, now, due_ns, last_ns, on_ns);
	else
		count_tick(c, now - due_ns);
}
