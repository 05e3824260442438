// SPDX-License-Identifier: GPL-2.0
/*
 * Finds softirq windows: times for which a CPU does not run its softirqs.
 *
 * A soft hrtimer runs in a softirq of its own, so how long that takes from when it was
 * due is the latency of softirqs. To have it run on each tick costs as much as the tick
 * itself, and mostly tells what is known already: the interrupt that runs the
 * hard tick also runs softirqs on its way out, unless
 *
 *   - it came while a softirq handler ran, or softirqs were disabled. They run when
 *     that is over;
 *   - ksoftirqd is runnable. Up to 6.4 an interrupt then leaves them to it;
 *   - threads run them, as on PREEMPT_RT, and such a thread cannot preempt the task.
 *
 * So the hard tick looks whether one of these holds. If not, softirqs run right now,
 * and nothing more is to be done. If so, it is in doubt, and starts the soft timer. When
 * that was only by chance, the timer runs at once; else the window is open from this tick
 * until it does. While it takes too long, the hard ticks go on and look at what
 * keeps the CPU from it: a window carries up to WINDOW_SAMPLES of these samples.
 *
 *	hard tick     |         |         |         |         |
 *	              free      in doubt  sample    sample
 *	soft timer              |..............................x
 *	                        started               end of the window
 *
 * Time between two hard ticks of which the second is late belongs to a hardirq window. It
 * is taken off the softirq latency, so that one cause never makes two records, and that
 * the latency stays a lower bound.
 *
 * Context: with each function in softirqs.h; soft_timer() runs in softirq. What belongs
 * to a CPU is written by that CPU alone, with interrupts off, once it has been started.
 */
#include <linux/interrupt.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/prio.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <asm/irq_regs.h>

#include "awake.h"
#include "compat.h"
#include "ended.h"
#include "histogram.h"
#include "settings.h"
#include "softirqs.h"
#include "window.h"

/**
 * struct prober - one CPU
 * @timer: the soft timer, queued while @window is open
 * @window: open from the hard tick that started the timer until that runs; its
 *	beginning is moved on by the length of hardirq windows
 * @early: a look into it before it was as long as the threshold
 * @ran_ns: when the timer last ran
 * @free_ns: softirqs were known to run then, before @window began
 * @steal_ns: stolen time that had been accounted when @window began
 * @ksoftirqd: of this CPU; NULL when it was not found, then all ticks are in doubt
 *
 * All times are CLOCK_MONOTONIC.
 */
struct prober {
	struct hrtimer timer;
	struct window window;
	struct sample early;
	u64 ran_ns;
	u64 free_ns;
	u64 steal_ns;
	struct task_struct *ksoftirqd;
};

static struct prober __percpu *probers;

/* Threads run softirqs: can such a thread preempt what the tick interrupted? */
static bool thread_must_wait(void)
{
	return !sample_idle_task() &&
	       ((preempt_count() & PREEMPT_MASK) ||
		READ_ONCE(current->prio) < MAX_RT_PRIO);
}

/* Hardirq. */
static bool in_doubt(const struct prober *p)
{
	return softirq_count() || !p->ksoftirqd ||
	       compat_task_is_running(p->ksoftirqd) ||
	       (IS_ENABLED(CONFIG_PREEMPT_RT) && thread_must_wait());
}

bool softirqs_free(void)
{
	const struct prober *p = this_cpu_ptr(probers);

	return !p->window.began_ns && !in_doubt(p);
}

/* Hardirq. */
static void start_timer(struct prober *p, u64 now, u64 last_ns)
{
	/* A CPU does not go idle before they have run. */
	p->free_ns = max3(p->ran_ns, last_ns, awake_not_before(now));
	p->steal_ns = ended_steal();
	p->early.at_ns = 0;
	window_open(&p->window, now, READ_ONCE(settings.threshold_ns));
	hrtimer_start(&p->timer, ns_to_ktime(now), HRTIMER_MODE_ABS_PINNED_SOFT);
}

/*
 * Softirqs are late. The window is looked into at the threshold and each time the
 * latency has doubled since. As it may end before the tick that would find it at
 * the threshold, the tick before that takes an early look, to be used when there
 * is no other.
 */
static void look(struct prober *p, u64 now, u64 latency_ns)
{
	u64 threshold_ns = READ_ONCE(settings.threshold_ns);

	if (window_wants(&p->window, latency_ns))
		window_look(&p->window, now, threshold_ns,
			    sample_softirq_state(), get_irq_regs());
	else if (!p->window.nr &&
		 latency_ns + settings.period_ns >= threshold_ns)
		sample_take(&p->early, now, latency_ns, sample_softirq_state(),
			    get_irq_regs());
}

/* Not inlined: a tick would save registers for it. */
static noinline void tick_in_doubt(struct prober *p, u64 now, u64 late_ns,
				   u64 last_ns)
{
	u64 began_ns = p->window.began_ns;

	if (!began_ns)
		start_timer(p, now, last_ns);
	else if (late_ns >= settings.off_ns)
		/*
		 * Interrupts were off, which is not the softirqs' fault: for as long as
		 * since the last tick, at most. The first tick of a CPU may have none
		 * before it that the window has seen.
		 */
		WRITE_ONCE(p->window.began_ns,
			   min(began_ns + (now - last_ns), now));
	else
		look(p, now, now - began_ns);
	histogram_not_free();
}

void softirqs_tick(u64 now, u64 late_ns, u64 last_ns)
{
	struct prober *p = this_cpu_ptr(probers);

	if (unlikely(p->window.began_ns || in_doubt(p)))
		tick_in_doubt(p, now, late_ns, last_ns);
}

void softirqs_follow(u64 now)
{
	struct prober *p = this_cpu_ptr(probers);

	if (!p->window.began_ns)
		start_timer(p, now, now);
}

/* The window that is over. Softirq with interrupts off. */
static void record(struct prober *p, u64 now, u64 latency_ns)
{
	struct window *window = &p->window;

	if (!window->nr && p->early.at_ns) {
		window->samples[0] = p->early;
		window->nr = 1;
	}
	ended_record(WINDOW_SOFTIRQ, now, latency_ns, now - p->free_ns,
		     p->steal_ns, window, NULL);
}

/*
 * Softirq. Interrupts stay off, so that no hard tick comes in between and finds the
 * window open when the timer has just run.
 */
static enum hrtimer_restart soft_timer(struct hrtimer *timer)
{
	struct prober *p = container_of(timer, struct prober, timer);
	u64 latency_ns = 0, began_ns;
	unsigned long flags;
	u64 now;

	local_irq_save(flags);
	now = ktime_get_ns();
	began_ns = p->window.began_ns;
	if (began_ns && now > began_ns)
		latency_ns = now - began_ns;
	window_close(&p->window);

	histogram_add(WINDOW_SOFTIRQ, latency_ns, settings.period_ns);
	if (latency_ns >= READ_ONCE(settings.threshold_ns))
		record(p, now, latency_ns);

	p->ran_ns = now;
	WRITE_ONCE(p->window.begin_unseen, false);
	local_irq_restore(flags);
	return HRTIMER_NORESTART;
}

void softirqs_start(u64 now)
{
	struct prober *p = this_cpu_ptr(probers);

	p->ran_ns = now;
	window_close(&p->window);
	WRITE_ONCE(p->window.begin_unseen, false);
}

void softirqs_first(u64 now)
{
	struct prober *p = this_cpu_ptr(probers);

	if (!in_doubt(p))
		return;
	WRITE_ONCE(p->window.begin_unseen, true);
	start_timer(p, now, now);
}

void softirqs_stop(int cpu)
{
	struct prober *p = per_cpu_ptr(probers, cpu);

	hrtimer_cancel(&p->timer);
	window_close(&p->window);
}

const struct sample *softirqs_early(int cpu)
{
	return &per_cpu_ptr(probers, cpu)->early;
}

const struct window *softirqs_window(int cpu)
{
	return &per_cpu_ptr(probers, cpu)->window;
}

/*
 * It is not exported, but can be told by its name: a user may take that name, but not
 * become a kernel thread. It stays the same until the system goes down.
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
	struct prober *p = per_cpu_ptr(probers, cpu);

	/* Ticks may begin as soon as the CPU is told to, so not later than here. */
	if (!p->ksoftirqd)
		p->ksoftirqd = find_ksoftirqd(cpu);
}

int softirqs_init(void)
{
	int cpu;

	probers = alloc_percpu(struct prober);
	if (!probers)
		return -ENOMEM;

	for_each_possible_cpu(cpu)
		compat_hrtimer_setup(&per_cpu_ptr(probers, cpu)->timer,
				     soft_timer, CLOCK_MONOTONIC,
				     HRTIMER_MODE_ABS_PINNED_SOFT);
	return 0;
}

void softirqs_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct task_struct *task = per_cpu_ptr(probers, cpu)->ksoftirqd;

		if (task)
			put_task_struct(task);
	}
	free_percpu(probers);
}
