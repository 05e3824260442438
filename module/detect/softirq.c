// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Finds softirq windows: times in which a CPU does not run its softirqs.
 *
 * The interrupt of a tick also runs softirqs on its way out, unless
 *
 *   - the tick interrupted a softirq handler, or code that had softirqs disabled;
 *   - ksoftirqd is runnable: up to 6.4 an interrupt then leaves all softirqs to ksoftirqd;
 *   - threads run softirqs, as on PREEMPT_RT, and this thread cannot preempt the task.
 *
 * Only then does the tick start a soft hrtimer that is due at once. The window is open until that
 * timer runs, in a softirq. Until then the ticks sample what keeps the CPU from its softirqs.
 *
 *	tick          |         |         |         |         |
 *	              free      delayed   sample    sample
 *	soft timer              |..............................x
 *	                        started               end of the window
 *
 * The time before a late tick belongs to a hardirq window, and is not counted as softirq latency:
 * one cause never makes two records, and the latency stays a lower bound.
 *
 * Context: see softirq.h; the timer runs in softirq. A CPU writes its own state, with interrupts
 * off; only softirqs_stop() writes that of another CPU.
 */
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/string.h>
#include <asm/irq_regs.h>

#include "detect/softirq.h"
#include "detect/tick.h"
#include "record/histogram.h"
#include "record/record.h"
#include "settings.h"

struct softirqs_cpu __percpu *softirqs_cpus;

static void start_timer(struct softirqs_cpu *s, u64 now, u64 free_ns)
{
	s->free_ns = max(s->ran_ns, free_ns);
	s->steal_ns = record_steal(smp_processor_id());
	/* The window may end before the first tick beyond the threshold. */
	window_open(&s->window, WINDOW_SOFTIRQ, now, READ_ONCE(settings.threshold_ns) / 2);
	hrtimer_start(&s->timer, ns_to_ktime(now), HRTIMER_MODE_ABS_PINNED_SOFT);
}

void softirqs_tick(u64 now, u64 late_ns, u64 last_ns, u64 on_ns)
{
	struct softirqs_cpu *s = this_cpu_ptr(softirqs_cpus);
	u64 began_ns = s->window.began_ns;

	if (!began_ns)
		/* A CPU runs its softirqs before it goes idle, and again when it wakes. */
		start_timer(s, now, sample_idle_task() ? last_ns : max(last_ns, on_ns));
	else if (late_ns >= settings.off_ns)
		/* Takes off all the time since the last tick, which may be too much. */
		WRITE_ONCE(s->window.began_ns, min(began_ns + (now - last_ns), now));
	else if (window_wants(&s->window, now - began_ns))
		window_sample(&s->window, began_ns, now, sample_softirq_state(), get_irq_regs());
	histogram_softirqs_delayed();
}

/*
 * No tick interrupts softirqs that an interrupt runs on an idle CPU whose tick is stopped.
 * Neither a tick nor the timer runs right now: both have interrupts off.
 */
bool softirqs_sample_nmi(u64 now, struct pt_regs *regs)
{
	struct softirqs_cpu *s = this_cpu_ptr(softirqs_cpus);
	u64 began_ns = window_began(&s->window);

	if (!began_ns)
		return false;
	if (now > began_ns && window_wants(&s->window, now - began_ns))
		window_sample(&s->window, began_ns, now, sample_softirq_state(), regs);
	return true;
}

/*
 * Softirq. With interrupts off, so that no tick comes in between, and finds the window open
 * when the timer has just run.
 */
static enum hrtimer_restart softirqs_timer_fn(struct hrtimer *timer)
{
	struct softirqs_cpu *s = container_of(timer, struct softirqs_cpu, timer);
	u64 now, began_ns, latency_ns;
	unsigned long flags;

	local_irq_save(flags);
	now = ktime_get_ns();
	began_ns = window_close(&s->window);
	/* 0: a tick started the timer while the CPU was being stopped. */
	if (began_ns) {
		latency_ns = now > began_ns ? now - began_ns : 0;
		histogram_add(WINDOW_SOFTIRQ, latency_ns);
		if (latency_ns >= READ_ONCE(settings.threshold_ns))
			record_add(&(struct ended_window) {
				.kind = WINDOW_SOFTIRQ,
				.cpu = smp_processor_id(),
				.end_ns = now,
				.latency_ns = latency_ns,
				.max_ns = now - s->free_ns,
				.steal_ns = s->steal_ns,
				.window = &s->window,
				.nr_samples = s->window.nr,
			});
		s->ran_ns = now;
	}
	WRITE_ONCE(s->window.begin_unseen, false);
	local_irq_restore(flags);
	return HRTIMER_NORESTART;
}

void softirqs_start(u64 now)
{
	struct softirqs_cpu *s = this_cpu_ptr(softirqs_cpus);
	bool delayed;

	window_close(&s->window);
	delayed = softirqs_may_be_delayed();
	s->ran_ns = now;
	WRITE_ONCE(s->window.begin_unseen, delayed);
	if (delayed)
		start_timer(s, now, now);
}

void softirqs_stop(int cpu)
{
	struct softirqs_cpu *s = per_cpu_ptr(softirqs_cpus, cpu);

	hrtimer_cancel(&s->timer);
	window_close(&s->window);
}

const struct window *softirqs_window(int cpu)
{
	return &per_cpu_ptr(softirqs_cpus, cpu)->window;
}

/*
 * The kernel does not export ksoftirqd. Its name identifies it: a user may take that name, but
 * cannot become a kernel thread. The thread stays the same until the system goes down.
 */
static struct task_struct *find_ksoftirqd(int cpu)
{
	struct task_struct *task, *found = NULL;
	char name[TASK_COMM_LEN];

	snprintf(name, sizeof(name), "ksoftirqd/%d", cpu);
	rcu_read_lock();
	for_each_process(task) {
		if (!(task->flags & PF_KTHREAD) || strcmp(task->comm, name))
			continue;
		found = get_task_struct(task);
		break;
	}
	rcu_read_unlock();
	return found;
}

void softirqs_cpu_online(int cpu)
{
	struct softirqs_cpu *s = per_cpu_ptr(softirqs_cpus, cpu);

	/* Before the first tick of that CPU. */
	if (!s->ksoftirqd)
		s->ksoftirqd = find_ksoftirqd(cpu);
}

int softirqs_init(void)
{
	int cpu;

	softirqs_cpus = alloc_percpu(struct softirqs_cpu);
	if (!softirqs_cpus)
		return -ENOMEM;

	for_each_possible_cpu(cpu)
		compat_hrtimer_setup(&per_cpu_ptr(softirqs_cpus, cpu)->timer, softirqs_timer_fn,
				     CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_SOFT);
	return 0;
}

void softirqs_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct softirqs_cpu *s = per_cpu_ptr(softirqs_cpus, cpu);

		hrtimer_cancel(&s->timer);
		if (s->ksoftirqd)
			put_task_struct(s->ksoftirqd);
	}
	free_percpu(softirqs_cpus);
}
