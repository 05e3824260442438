// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * A tick measures how late its timer interrupt is: for at least that long the CPU took no
 * interrupts. Each tick also looks for delayed softirqs (softirqs.c) and for kernel code that keeps
 * the CPU (nosched.c), and checks other CPUs if no watcher does (watch.c). Context: hardirq.
 */
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <asm/irq_regs.h>

#include "detect/nmi.h"
#include "detect/nosched.h"
#include "detect/softirqs.h"
#include "detect/tick.h"
#include "detect/watch.h"
#include "record/histogram.h"
#include "record/record.h"
#include "record/sample.h"
#include "record/window.h"
#include "settings.h"

DEFINE_PER_CPU(struct tick_cpu, tick_cpus);

/*
 * On an idle CPU, two windows are left to the watcher that opened them, which knows the begin: a
 * window whose samples show softirqs; and a window without samples, unless this tick alone is late
 * enough for a record. (The tick of an idle CPU may be due long after the window began.)
 */
static bool tick_leave_to_watcher(const struct window *window, unsigned int nr, bool is_long)
{
	return sample_idle_task() && (nr ? window->kind == WINDOW_SOFTIRQ : !is_long);
}

/*
 * Interrupts were off. A window that a watcher has opened may have begun before @due_ns, as the
 * timer of an idle CPU is due much later.
 */
static void tick_late(struct tick_cpu *c, u64 now, u64 due_ns, u64 on_ns)
{
	struct window *window = nmi_window(smp_processor_id());
	bool is_long = now - due_ns >= READ_ONCE(settings.threshold_ns);
	u64 began_ns = 0, over_ns;
	unsigned int nr;
	bool leave, over;

	/*
	 * Orders the store of ran_ns before the loads of the window. Pairs with the smp_mb() in
	 * check_open_window(): either this sees the new window, or the watcher sees ran_ns.
	 */
	smp_mb();
	c->recording = true;
	barrier();
	/* Read these first: a watcher may open the window again as soon as it is closed. */
	nr = window_began(window) ? READ_ONCE(window->nr) : 0;
	over_ns = READ_ONCE(window->over_ns);
	leave = tick_leave_to_watcher(window, nr, is_long);
	/* The idle task has left the CPU: its window has ended, and a watcher will close it. */
	over = nr && READ_ONCE(window->idle) && !sample_idle_task();
	if (!leave && !over)
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

static __always_inline void tick_count(struct tick_cpu *c, u64 late_ns)
{
	WRITE_ONCE(c->steal_ns, this_cpu_read(kernel_cpustat.cpustat[CPUTIME_STEAL]));
	histogram_add(WINDOW_HARDIRQ, late_ns);
}

static noinline void tick_slowpath(struct tick_cpu *c, u64 now, u64 due_ns, u64 last_ns, u64 on_ns)
{
	u64 late_ns = now - due_ns;

	/* Not for a second tick in one interrupt: the kernel has not accounted stolen time yet. */
	if (__this_cpu_read(record_unsettled) && now - last_ns >= READ_ONCE(settings.off_ns))
		record_settle(late_ns >= READ_ONCE(settings.off_ns));
	if (late_ns >= READ_ONCE(settings.late_ns))
		tick_late(c, now, due_ns, sample_idle_task() ? last_ns : max(last_ns, on_ns));
	tick_count(c, late_ns);
	if (softirqs_may_be_delayed())
		softirqs_tick(now, late_ns, last_ns, on_ns);
	if (nosched_is_possible())
		nosched_tick(now, late_ns, last_ns, on_ns);
	if (now >= READ_ONCE(watch_due_ns))
		watch_check(now, late_ns);
}

void tick(u64 now, u64 due_ns, u64 on_ns)
{
	struct tick_cpu *c = this_cpu_ptr(&tick_cpus);
	u64 last_ns = c->ran_ns;

	/* If the other source has ticked in this interrupt, this tick is on time. */
	due_ns = min(max(due_ns, last_ns), now);
	WRITE_ONCE(c->ran_ns, now);
	if (unlikely(now - due_ns >= READ_ONCE(settings.late_ns) ||
		     now >= READ_ONCE(watch_due_ns) ||
		     __this_cpu_read(record_unsettled) || softirqs_may_be_delayed() ||
		     nosched_is_possible()))
		tick_slowpath(c, now, due_ns, last_ns, on_ns);
	else
		tick_count(c, now - due_ns);
}
