// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * A tick that finds softirqs delayed opens a window, and starts a soft hrtimer that is due at once.
 * The window is open until the timer runs, in a softirq; ticks sample the CPU meanwhile. A CPU
 * writes its own state with interrupts off. Context: see delays.h; the timer runs in softirq.
 *
 *	tick          |         |         |         |         |
 *	              free      delayed   sample    sample
 *	soft timer              |..............................x
 *	                        started               end of the window
 *
 * The soft timer itself makes a softirq pending. If no other is pending when a handler ends, the
 * kernel may wake ksoftirqd just for the timer: under a network load, 20 times as often as without
 * the module (6.1, 7.3). So if no softirq is pending in a handler, only the second tick in this
 * handler opens the window. (Before 6.0, an idle CPU may have no second tick.)
 */
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/kernel_stat.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/string.h>

#include "detect/delays.h"
#include "detect/tick.h"
#include "record/announce.h"
#include "record/record.h"
#include "settings.h"

struct softirqs_cpu __percpu *softirqs_cpus;

static void softirqs_suspect(struct softirqs_cpu *s, u64 now, u64 free_ns)
{
	s->suspect_ns = now;
	s->free_ns = max(s->free_ns, free_ns);
	s->steal_ns = record_steal(smp_processor_id());
	interrupts_read(&s->interrupts);
}

static void softirqs_open(struct softirqs_cpu *s, u64 began_ns, u64 now)
{
	/* Sample before the threshold: the window may end before the first tick beyond it. */
	window_open(&s->window, WINDOW_SOFTIRQ, began_ns, READ_ONCE(settings.threshold_ns) / 2);
	WRITE_ONCE(s->window.of_idle, sample_idle_task());
	hrtimer_start(&s->timer, ns_to_ktime(now), HRTIMER_MODE_ABS_PINNED_SOFT);
}

void softirqs_tick(u64 now, u64 recorded_ns, u64 last_ns, u64 on_ns)
{
	struct softirqs_cpu *s = this_cpu_ptr(softirqs_cpus);
	u64 min_ns = min_t(u64, READ_ONCE(settings.timer_ns), TICK_NSEC) / 2;
	u64 began_ns = READ_ONCE(s->window.began_ns);

	if (!began_ns) {
		bool in_handler = in_serving_softirq();
		/*
		 * The same handler still runs: all ticks since @suspect_ns found softirqs delayed,
		 * and no handler has begun since. (in_serving_softirq() is also true before the
		 * first handler.)
		 */
		bool same = in_handler && last_ns <= s->delayed_ns &&
			    !memcmp(this_cpu_ptr(&kstat)->softirqs, s->interrupts.softirqs,
				    sizeof(s->interrupts.softirqs));

		s->delayed_ns = now;

		/* If the CPU has been idle since the last tick, softirqs could run at @on_ns. */
		if (!same)
			softirqs_suspect(s, now, max(last_ns, on_ns));
		/* Wait after the first tick in this handler, or a second one in its interrupt. */
		if (in_handler && now - s->suspect_ns < min_ns && !local_softirq_pending() &&
		    !sample_idle_task()) {
			s->steal_may_grow = recorded_ns;
			return;
		}
		began_ns = min(s->suspect_ns + (same ? recorded_ns : 0), now);
		softirqs_open(s, began_ns, now);
	} else if (recorded_ns) {
		began_ns = min(began_ns + recorded_ns, now);
		WRITE_ONCE(s->window.began_ns, began_ns);
	}
	if (!recorded_ns && window_wants(&s->window, now - began_ns))
		announce_take_sample(&s->window, began_ns, now, sample_softirq_state());
	/*
	 * Time stolen in a hardirq window counts in its record only. The kernel may account that
	 * time after this tick, so read it again at the next tick.
	 */
	if (recorded_ns || s->steal_may_grow)
		s->steal_ns = record_steal(smp_processor_id());
	s->steal_may_grow = recorded_ns;
}

/* Interrupts are off: otherwise a tick could sample a window that this function is closing. */
static enum hrtimer_restart softirqs_timer_fn(struct hrtimer *timer)
{
	struct softirqs_cpu *s = container_of(timer, struct softirqs_cpu, timer);
	struct window_end end = { .kind = WINDOW_SOFTIRQ, .interrupts = &s->interrupts };
	u64 now, began_ns;
	unsigned long flags;

	local_irq_save(flags);
	now = ktime_get_ns();
	began_ns = window_close(&s->window, WINDOW_ENDING);
	/* 0: softirqs_stop() has closed the window. */
	if (began_ns) {
		end.cpu = smp_processor_id();
		end.begin_unseen = s->window.begin_unseen;
		end.end_ns = now;
		end.latency_ns = now > began_ns ? now - began_ns : 0;
		end.max_ns = now - s->free_ns;
		end.steal_ns = s->steal_may_grow ? record_steal(end.cpu) : s->steal_ns;
		end.nr_samples = s->window.nr;
		if (window_end(&s->window, &end))
			nosched_take_off(began_ns, now);
		s->free_ns = now;
	}
	local_irq_restore(flags);
	return HRTIMER_NORESTART;
}

void softirqs_start(u64 now)
{
	struct softirqs_cpu *s = this_cpu_ptr(softirqs_cpus);
	bool delayed;

	window_drop(&s->window);
	/* Checks find the windows of idle CPUs. */
	delayed = softirqs_may_be_delayed() && !sample_idle_task();
	s->free_ns = now;
	s->steal_may_grow = false;
	WRITE_ONCE(s->window.begin_unseen, delayed);
	if (delayed) {
		softirqs_suspect(s, now, now);
		softirqs_open(s, now, now);
	}
}

void softirqs_stop(int cpu)
{
	struct softirqs_cpu *s = per_cpu_ptr(softirqs_cpus, cpu);

	hrtimer_cancel(&s->timer);
	window_drop(&s->window);
}

/*
 * The kernel does not export ksoftirqd. Find the kernel threads of that name, which never end. One
 * pass serves all CPUs: at load, a pass for each CPU would take a time that grows with the square
 * of their number. The caller holds a lock of CPU hotplug, so no other CPU runs this.
 */
void softirqs_cpu_online(int new_cpu)
{
	struct task_struct *task;
	unsigned int cpu;
	size_t prefix;

	if (per_cpu_ptr(softirqs_cpus, new_cpu)->ksoftirqd)
		return;
	rcu_read_lock();
	for_each_process(task) {
		prefix = str_has_prefix(task->comm, "ksoftirqd/");
		if ((task->flags & PF_KTHREAD) && prefix &&
		    !kstrtouint(task->comm + prefix, 10, &cpu) &&
		    cpu < nr_cpu_ids && cpu_possible(cpu) &&
		    !per_cpu_ptr(softirqs_cpus, cpu)->ksoftirqd)
			per_cpu_ptr(softirqs_cpus, cpu)->ksoftirqd = get_task_struct(task);
	}
	rcu_read_unlock();
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

	if (!softirqs_cpus)
		return;
	for_each_possible_cpu(cpu)
		if (per_cpu_ptr(softirqs_cpus, cpu)->ksoftirqd)
			put_task_struct(per_cpu_ptr(softirqs_cpus, cpu)->ksoftirqd);
	free_percpu(softirqs_cpus);
}
