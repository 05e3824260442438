// SPDX-License-Identifier: GPL-2.0
/*
 * Finds nosched windows: times for which kernel code does not let go of a CPU that another task
 * waits for.
 *
 * A task that is to leave its CPU is told so by a flag, which it heeds on its way back to user
 * space, when it sleeps, in cond_resched(), and, if the kernel is preemptible, wherever preemption
 * is on. Mostly that takes microseconds. When a hard tick finds the flag set in the kernel, a timer
 * looks again and again, until it is not the same task any more, or it has been switched out since,
 * or is not in the kernel, or the flag is gone.
 *
 *	hard tick     |         |         |         |         |
 *	              nothing   flag
 *	timer                   ..x..x..x..x..x..x..x
 *	                          window of one task  gone
 *
 * Why a timer, and not the next tick: the scheduler's own tick sets the flag, and ours may come
 * in the same interrupt. Among tasks of very different weights the scheduler then often decides for
 * the same task again. No switch is counted, and the next tick finds a new flag, of the same task:
 * one that makes system calls would look as if it had been in the kernel all the time. So the times
 * at which the timer looks wander through the period of the scheduler's tick, at most one in eight
 * of them is with it; and a window begins with the first of these looks, not with the tick.
 *
 * Where the kernel tells when it sets the flag (7.x), a window begins exactly then, if the CPU set
 * it itself; and a flag that was set once more since the last look has been heeded in between.
 * Others are not asked for the time: their cycle counters may not be the same.
 *
 * One cause makes one record. The time in which interrupts were off, or a softirq window was open
 * from one look to the next, belongs to that window, and is taken off this one.
 *
 * Context: with each function in nosched.h; look_again() runs in hardirq, on_flag() with interrupts
 * off and the scheduler's lock of that CPU. What belongs to a CPU is
 * written by that CPU alone, with interrupts off.
 */
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>
#include <linux/tracepoint.h>
#include <asm/irq_regs.h>

#include "awake.h"
#include "compat.h"
#include "ended.h"
#include "events.h"
#include "histogram.h"
#include "nosched.h"
#include "sample.h"
#include "settings.h"
#include "softirqs.h"
#include "window.h"

/**
 * struct stay - the task that does not leave a CPU
 * @timer: looks again, queued while @window is open
 * @window: begins with the first look after the hard tick that found the flag; is moved on
 *	by what belongs to other windows
 * @task: it. Only to be compared, it may be gone
 * @start_time: its own, as another one may get its place in memory
 * @switches: how often it had been switched out
 * @flags: how often the flag had been set
 * @first_ns: when the CPU began to be monitored, if somebody was asked to leave it then; else 0
 * @seen_ns: when it was last seen not to have left
 * @free_ns: before @window began, it was not there yet
 * @steal_ns: stolen time that had been accounted when @window began
 * @last: the look at @seen_ns, when that was about as long as the threshold
 *
 * All times are CLOCK_MONOTONIC.
 */
struct stay {
	struct hrtimer timer;
	struct window window;
	const struct task_struct *task;
	u64 start_time;
	unsigned long switches;
	unsigned int flags;
	u64 first_ns;
	u64 seen_ns;
	u64 free_ns;
	u64 steal_ns;
	struct sample last;
};

static struct stay __percpu *stays;

/**
 * struct flag - of one CPU, where the kernel tells
 * @count: how often it has been set
 * @cycles: get_cycles() when it last was, 0 when another CPU did it
 */
struct flag {
	unsigned int count;
	cycles_t cycles;
};

static DEFINE_PER_CPU(struct flag, flags);
static struct tracepoint *flag_tracepoint;
static bool hooked;

/* Thousands of times a second on a busy CPU: each instruction counts. */
static void on_flag(void *unused, struct task_struct *task, int cpu, int flag)
{
	struct flag *f = per_cpu_ptr(&flags, cpu);

	/* An idle CPU is asked for each task it gets. */
	if (flag != TIF_NEED_RESCHED || is_idle_task(task))
		return;
	WRITE_ONCE(f->count, f->count + 1);
	WRITE_ONCE(f->cycles, cpu == raw_smp_processor_id() ? get_cycles() : 0);
}

/*
 * From one look to the next: five eighths of a scheduler tick, or the sampling period when that is
 * shorter.
 */
static u64 step_ns(void)
{
	return min_t(u64, settings.period_ns, TICK_NSEC * 5 / 8);
}

/* Hardirq. Was kernel code of a task interrupted, that is to leave the CPU? */
static bool is_asked(void)
{
	struct pt_regs *regs = get_irq_regs();

	return need_resched() && regs && !user_mode(regs) && !sample_idle_task();
}

static unsigned long switches_of(const struct task_struct *task)
{
	return task->nvcsw + task->nivcsw;
}

/* Hardirq. Is it the one that was seen last? */
static bool is_same(const struct stay *s)
{
	return current == s->task && switches_of(current) == s->switches &&
	       current->start_time == s->start_time &&
	       READ_ONCE(this_cpu_ptr(&flags)->count) == s->flags;
}

/* Hardirq. Has the time since then been that of another window? */
static bool belongs_to_other(u64 since_ns, u64 late_ns)
{
	u64 softirqs_ns = softirqs_window(smp_processor_id())->began_ns;

	return late_ns >= settings.off_ns ||
	       (softirqs_ns && softirqs_ns <= since_ns);
}

/* Hardirq. Does a softirq handler run on top of the task, for which there is a window? */
static bool is_beneath_window(void)
{
	return softirqs_window(smp_processor_id())->began_ns &&
	       in_serving_softirq();
}

/* Hardirq. */
static void open(struct stay *s, u64 now, u64 late_ns, u64 last_ns)
{
	const struct flag *flag = this_cpu_ptr(&flags);
	u64 began_ns;

	s->task = current;
	s->start_time = current->start_time;
	s->switches = switches_of(current);
	s->flags = READ_ONCE(flag->count);
	s->seen_ns = now;
	awake_time_of(READ_ONCE(flag->cycles), now, &s->free_ns, &began_ns);
	s->free_ns = max3(s->free_ns, last_ns, awake_not_before(now));
	if (!READ_ONCE(hooked) || began_ns < s->free_ns ||
	    belongs_to_other(began_ns, late_ns)) {
		began_ns = now + step_ns();
		s->seen_ns = began_ns;
	}
	s->steal_ns = ended_steal();
	s->last.at_ns = 0;
	WRITE_ONCE(s->window.begin_unseen, s->first_ns && s->free_ns <= s->first_ns);
	window_open(&s->window, began_ns, READ_ONCE(settings.threshold_ns));
	hrtimer_start(&s->timer, ns_to_ktime(now + step_ns()),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

void nosched_asked(u64 now, u64 late_ns, u64 last_ns)
{
	struct stay *s = this_cpu_ptr(stays);

	if (!s->window.began_ns && READ_ONCE(settings.nosched) && is_asked())
		open(s, now, late_ns, last_ns);
}

void nosched_first(u64 now)
{
	struct stay *s = this_cpu_ptr(stays);

	/* The interrupt that this runs in may tell nothing of the task: its first tick does. */
	s->first_ns = need_resched() && !sample_idle_task() ? now : 0;
}

/* Hardirq. It has been there since the last look: what is it doing? */
static void look(struct stay *s, u64 now)
{
	u64 threshold_ns = READ_ONCE(settings.threshold_ns);
	u64 latency_ns = now - s->window.began_ns;
	enum sample_state state = preempt_count() & PREEMPT_MASK ?
					STATE_PREEMPT_OFF : STATE_IN_KERNEL;

	s->seen_ns = now;
	if (window_wants(&s->window, latency_ns)) {
		window_look(&s->window, now, threshold_ns, state, get_irq_regs());
		s->last = s->window.samples[s->window.nr - 1];
		events_looked(WINDOW_NOSCHED, &s->window, now, latency_ns);
	} else if (latency_ns >= threshold_ns) {
		sample_take(&s->last, now, latency_ns, state, get_irq_regs());
	}
}

/* Hardirq. It was over at some time since it was seen last. */
static void end(struct stay *s, u64 now)
{
	u64 latency_ns = s->seen_ns - s->window.began_ns;

	window_close(&s->window);
	if (latency_ns)
		histogram_add(WINDOW_NOSCHED, latency_ns, settings.period_ns);
	if (s->last.at_ns && latency_ns >= READ_ONCE(settings.threshold_ns))
		ended_record(WINDOW_NOSCHED, now, latency_ns, now - s->free_ns,
			     s->steal_ns, &s->window, &s->last, NULL);
	WRITE_ONCE(s->window.begin_unseen, false);
}

static enum hrtimer_restart look_again(struct hrtimer *timer)
{
	struct stay *s = container_of(timer, struct stay, timer);
	u64 now = ktime_get_ns();
	u64 late_ns = now - ktime_to_ns(hrtimer_get_expires(timer));

	if (!is_asked() || !is_same(s)) {
		end(s, now);
		return HRTIMER_NORESTART;
	}

	if (belongs_to_other(s->seen_ns, late_ns) || is_beneath_window()) {
		WRITE_ONCE(s->window.began_ns,
			   min(s->window.began_ns + (now - s->seen_ns), now));
		s->seen_ns = now;
	} else if (!in_serving_softirq()) {
		/* Beneath a softirq handler it cannot leave, and that may be over soon. */
		look(s, now);
	}
	hrtimer_forward(timer, ns_to_ktime(now), ns_to_ktime(step_ns()));
	return HRTIMER_RESTART;
}

void nosched_stop(int cpu)
{
	struct stay *s = per_cpu_ptr(stays, cpu);

	hrtimer_cancel(&s->timer);
	window_close(&s->window);
}

const struct window *nosched_window(int cpu)
{
	return &per_cpu_ptr(stays, cpu)->window;
}

const struct sample *nosched_last(int cpu)
{
	return &per_cpu_ptr(stays, cpu)->last;
}

void nosched_hook(bool hook)
{
	hook = hook && flag_tracepoint && READ_ONCE(settings.nosched);
	if (hook == hooked)
		return;
	if (hook)
		hook = !tracepoint_probe_register(flag_tracepoint, on_flag, NULL);
	else
		tracepoint_probe_unregister(flag_tracepoint, on_flag, NULL);
	WRITE_ONCE(hooked, hook);
}

bool nosched_hooked(void)
{
	return READ_ONCE(hooked);
}

int nosched_init(void)
{
	int cpu;

	stays = alloc_percpu(struct stay);
	if (!stays)
		return -ENOMEM;

	flag_tracepoint = compat_find_tracepoint("sched_set_need_resched_tp");
	for_each_possible_cpu(cpu)
		compat_hrtimer_setup(&per_cpu_ptr(stays, cpu)->timer, look_again,
				     CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
	return 0;
}

void nosched_exit(void)
{
	free_percpu(stays);
}
