// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The kernel asks a task to leave its CPU by a flag (need_resched()), and the task leaves when it
 * can. A tick that finds the flag set in kernel code opens a window. The window is open until a
 * tick finds that the task has left the CPU, is in user space, or has no flag any more; ticks
 * sample the CPU meanwhile. The task may leave and return between two ticks, so its number of
 * context switches is compared. A CPU writes its own state with interrupts off.
 *
 *	tick          |         |         |         |         |
 *	              free      flag      sample    sample    has left
 *	lower bound             |-------------------|
 *	upper bound   |---------------------------------------|
 *
 * From 6.13 on there is a lazy flag, too. The scheduler's tick turns it into the flag that is read
 * here. Context: see delays.h.
 */
#include <linux/minmax.h>
#include <linux/ptrace.h>
#include <asm/irq_regs.h>

#include "detect/delays.h"
#include "detect/tick.h"
#include "record/announce.h"
#include "record/record.h"
#include "settings.h"

struct nosched_cpu __percpu *nosched_cpus;

/* Not the idle task, which tests the flag all the time. */
static bool nosched_is_delayed(void)
{
	struct pt_regs *regs = get_irq_regs();

	return READ_ONCE(settings.nosched) && need_resched() && !sample_idle_task() &&
	       !(regs && user_mode(regs));
}

static unsigned long nosched_switches(void)
{
	return current->nvcsw + current->nivcsw;
}

static bool nosched_has_left(const struct nosched_cpu *s)
{
	return current != s->task || nosched_switches() != s->switches;
}

static void nosched_open(struct nosched_cpu *s, u64 now, u64 free_ns)
{
	s->task = current;
	s->switches = nosched_switches();
	s->free_ns = free_ns;
	s->steal_ns = record_steal(smp_processor_id());
	interrupts_read(&s->interrupts);
	/* Sample at half of the threshold, too: a window that just reaches it has two samples. */
	window_open(&s->window, WINDOW_NOSCHED, now, READ_ONCE(settings.threshold_ns) / 2);
}

/*
 * One cause makes one record: the time of a softirq record does not count. Whether a softirq window
 * makes a record is known when it ends. Return: how much of the time until @end_ns belongs to both
 * the window that began at @began_ns and the softirq window that began at @softirqs_ns.
 */
static u64 nosched_shared_ns(u64 began_ns, u64 softirqs_ns, u64 end_ns)
{
	u64 from_ns = max(softirqs_ns, began_ns);

	return softirqs_ns && end_ns > from_ns ? end_ns - from_ns : 0;
}

void nosched_take_off(u64 softirqs_ns, u64 now)
{
	struct nosched_cpu *s = this_cpu_ptr(nosched_cpus);
	u64 began_ns = READ_ONCE(s->window.began_ns);

	if (!began_ns)
		return;
	WRITE_ONCE(s->window.began_ns, began_ns + nosched_shared_ns(began_ns, softirqs_ns, now));
	/* Otherwise the time since the newest tick would be taken off what came before softirqs. */
	WRITE_ONCE(s->last_open_ns, max(s->last_open_ns, now));
	/* The only sample shows softirqs that have a record of their own: see nosched_tick(). */
	if (s->window.nr == 1 && window_newest(&s->window, 1)->at_ns > softirqs_ns) {
		WRITE_ONCE(s->window.next_ns, READ_ONCE(settings.threshold_ns) / 2);
		WRITE_ONCE(s->window.nr, 0);
	}
}

static void nosched_end(struct nosched_cpu *s, u64 now)
{
	int cpu = smp_processor_id();
	u64 softirqs_ns = window_began(softirqs_window(cpu)), began_ns;

	/* The open softirq window has reached the threshold: it will have a record. */
	if (softirqs_ns && now - softirqs_ns >= READ_ONCE(settings.threshold_ns))
		nosched_take_off(softirqs_ns, s->last_open_ns);
	began_ns = window_close(&s->window, WINDOW_ENDING);
	/* 0: nosched_stop() has closed the window. */
	if (!began_ns)
		return;
	window_end(&s->window, &(struct window_end) {
		.kind = WINDOW_NOSCHED,
		.cpu = cpu,
		.begin_unseen = s->window.begin_unseen,
		.end_ns = s->last_open_ns,
		.latency_ns = s->last_open_ns > began_ns ? s->last_open_ns - began_ns : 0,
		.max_ns = now - s->free_ns,
		.steal_ns = s->steal_may_grow ? record_steal(cpu) : s->steal_ns,
		.nr_samples = s->window.nr,
		.interrupts = &s->interrupts,
	});
}

void nosched_tick(u64 now, u64 recorded_ns, u64 last_ns, u64 on_ns)
{
	struct nosched_cpu *s = this_cpu_ptr(nosched_cpus);
	u64 began_ns = READ_ONCE(s->window.began_ns), shared_ns;
	bool delayed = nosched_is_delayed();

	if (began_ns && (!delayed || nosched_has_left(s))) {
		nosched_end(s, now);
		began_ns = 0;
	}
	if (!delayed)
		return;

	if (began_ns) {
		/*
		 * This may reopen a window that nosched_stop() has just closed; nosched_start()
		 * closes it again.
		 */
		began_ns = min(began_ns + recorded_ns, now);
		WRITE_ONCE(s->window.began_ns, began_ns);
		shared_ns = nosched_shared_ns(began_ns,
					      window_began(softirqs_window(smp_processor_id())),
					      now);
		/*
		 * Softirqs that end below the threshold count for this window: if it is long only
		 * with them, a sample shows them.
		 */
		if (window_wants(&s->window, now - began_ns - shared_ns) ||
		    (!s->window.nr && now - began_ns >= READ_ONCE(settings.threshold_ns)))
			announce_take_sample(&s->window, began_ns + shared_ns, now,
					     sample_nosched_state());
	} else {
		/* @on_ns after @last_ns: the CPU has left idle since. */
		nosched_open(s, now, max(last_ns, on_ns));
	}
	/* Stolen time of a hardirq record does not count here, as in softirqs_tick(). */
	if (recorded_ns || s->steal_may_grow)
		s->steal_ns = record_steal(smp_processor_id());
	s->steal_may_grow = recorded_ns;
	WRITE_ONCE(s->last_open_ns, now);
}

void nosched_end_idle(u64 now)
{
	struct nosched_cpu *s = this_cpu_ptr(nosched_cpus);

	if (__this_cpu_read(tick_cpus.running) && READ_ONCE(s->window.began_ns) &&
	    nosched_has_left(s))
		nosched_end(s, now);
}

void nosched_start(u64 now)
{
	struct nosched_cpu *s = this_cpu_ptr(nosched_cpus);
	bool delayed = nosched_is_delayed();

	window_drop(&s->window);
	s->steal_may_grow = false;
	WRITE_ONCE(s->last_open_ns, now);
	WRITE_ONCE(s->window.begin_unseen, delayed);
	if (delayed)
		nosched_open(s, now, now);
}

void nosched_stop(int cpu)
{
	window_drop(&per_cpu_ptr(nosched_cpus, cpu)->window);
}

u64 nosched_not_counted_ns(int cpu, u64 now)
{
	const struct nosched_cpu *s = per_cpu_ptr(nosched_cpus, cpu);
	u64 last_ns = min(READ_ONCE(s->last_open_ns), now);

	return now - last_ns + nosched_shared_ns(window_began(&s->window),
						 window_began(softirqs_window(cpu)), last_ns);
}

int nosched_init(void)
{
	nosched_cpus = alloc_percpu(struct nosched_cpu);
	return nosched_cpus ? 0 : -ENOMEM;
}

void nosched_exit(void)
{
	free_percpu(nosched_cpus);
}
