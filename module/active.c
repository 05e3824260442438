// SPDX-License-Identifier: GPL-2.0
/*
 * Shows the windows that are open right now and have reached the threshold. The worst
 * window is the one that does not end, and no record is made of that before it does.
 *
 * All is found out by reading memory: no CPU is asked for anything.
 *
 * Context: process.
 */
#include <linux/minmax.h>
#include <linux/seq_file.h>
#include <linux/timekeeping.h>

#include "active.h"
#include "ask.h"
#include "print.h"
#include "sampler.h"
#include "settings.h"
#include "softirqs.h"
#include "walk.h"
#include "watch.h"
#include "window.h"

const size_t active_private_size = sizeof(struct window);

static u64 age(u64 began_ns, u64 now)
{
	return began_ns && now > began_ns ? now - began_ns : 0;
}

/*
 * @off_ns: for how long interrupts have been off all the same, which is not to be
 * counted. The age is that of the window that was copied, not of the next one.
 * @began_ns: it did not begin before
 */
static void show_if_open(struct seq_file *m, int cpu, const struct window *from,
			 u64 began_ns, u64 now, u64 off_ns)
{
	struct window *copy = m->private;
	u64 latency_ns;

	if (!window_read(from, copy))
		return;

	latency_ns = age(max(copy->began_ns, began_ns), now);
	latency_ns -= min(latency_ns, off_ns);
	if (latency_ns >= READ_ONCE(settings.threshold_ns))
		print_open_window(m, cpu, copy, now, latency_ns);
}

static int active_show(struct seq_file *m, void *v)
{
	int cpu = *(loff_t *)v;
	const struct window *hardirqs = ask_window(cpu);
	u64 now = ktime_get_ns();
	u64 began_ns, off_ns;

	if (!sampler_running(cpu) && !sampler_late(cpu))
		return 0;

	began_ns = watch_look_since(cpu, now);
	if (began_ns)
		show_if_open(m, cpu, hardirqs, began_ns, now, 0);

	off_ns = age(began_ns, now);
	show_if_open(m, cpu, softirqs_window(cpu), 0, now,
		     off_ns >= READ_ONCE(settings.period_ns) ? off_ns : 0);
	return 0;
}

const struct seq_operations active_ops = {
	.start = walk_cpus_start,
	.next = walk_cpus_next,
	.stop = walk_stop,
	.show = active_show,
};
