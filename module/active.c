// SPDX-License-Identifier: GPL-2.0
/*
 * Shows the windows that are open right now and have reached the threshold. The worst
 * window is the one that does not end, and no record is made of that before it does.
 *
 * All is found out by reading memory: no CPU is asked for anything.
 *
 * Context: process.
 */
#include <linux/cpumask.h>
#include <linux/seq_file.h>
#include <linux/timekeeping.h>

#include "active.h"
#include "print.h"
#include "sampler.h"
#include "settings.h"
#include "watch.h"
#include "window.h"

const size_t active_private_size = sizeof(struct window);

static u64 age(const struct window *window, u64 now)
{
	u64 began_ns = READ_ONCE(window->began_ns);

	return began_ns && now > began_ns ? now - began_ns : 0;
}

static void show_if_open(struct seq_file *m, int cpu, const struct window *from,
			 u64 now, u64 latency_ns)
{
	struct window *copy = m->private;

	if (latency_ns >= READ_ONCE(settings.threshold_ns) &&
	    window_read(from, copy))
		print_open_window(m, cpu, copy, now, latency_ns);
}

/* A position is a CPU. */
static void *active_start(struct seq_file *m, loff_t *pos)
{
	unsigned int cpu = cpumask_next(*pos - 1, cpu_possible_mask);

	if (cpu >= nr_cpu_ids)
		return NULL;
	*pos = cpu;
	return pos;
}

static void *active_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return active_start(m, pos);
}

static void active_stop(struct seq_file *m, void *v)
{
}

static int active_show(struct seq_file *m, void *v)
{
	int cpu = *(loff_t *)v;
	const struct window *hardirqs = watch_window(cpu);
	const struct window *softirqs = sampler_softirq_window(cpu);
	u64 now = ktime_get_ns();
	u64 off_ns, late_ns;

	if (!sampler_running(cpu))
		return 0;

	off_ns = age(hardirqs, now);
	show_if_open(m, cpu, hardirqs, now, off_ns);

	/* While interrupts are off, the time is not the softirqs' fault. */
	late_ns = age(softirqs, now);
	if (off_ns >= settings.period_ns)
		late_ns = late_ns > off_ns ? late_ns - off_ns : 0;
	show_if_open(m, cpu, softirqs, now, late_ns);
	return 0;
}

const struct seq_operations active_ops = {
	.start = active_start,
	.next = active_next,
	.stop = active_stop,
	.show = active_show,
};
