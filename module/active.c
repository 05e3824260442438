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
#include <linux/ktime.h>
#include <linux/timekeeping.h>

#include "active.h"
#include "detect/nmi.h"
#include "print.h"
#include "cpus.h"
#include "settings.h"
#include "detect/softirq.h"
#include "walk.h"
#include "record/window.h"

const size_t active_private_size = sizeof(struct window);

static u64 age(u64 began_ns, u64 now)
{
	return began_ns && now > began_ns ? now - began_ns : 0;
}

/*
 * @off_ns: for how long interrupts have been off all the same, which is not to be
 * counted. The age is that of the window that was copied, not of the next one.
 */
static void show_if_open(struct seq_file *m, int cpu, const struct window *from,
			 u64 now, u64 off_ns)
{
	struct window *copy = m->private;
	u64 latency_ns;

	if (!window_read(from, copy))
		return;

	latency_ns = age(copy->began_ns, now);
	latency_ns -= min(latency_ns, off_ns);
	if (latency_ns >= READ_ONCE(settings.threshold_ns))
		print_open_window(m, cpu, copy, now, latency_ns);
}

static int active_show(struct seq_file *m, void *v)
{
	int cpu = *(loff_t *)v;
	const struct window *watched = nmi_window(cpu);
	u64 now = ktime_get_ns();
	u64 off_ns;

	if (!cpus_is_running(cpu) && !cpus_is_late(cpu))
		return 0;

	show_if_open(m, cpu, watched, now, 0);
	off_ns = READ_ONCE(watched->kind) == WINDOW_HARDIRQ ?
			age(window_began(watched), now) : 0;
	show_if_open(m, cpu, softirqs_window(cpu), now, off_ns);
	return 0;
}

const struct seq_operations active_ops = {
	.start = walk_cpus_start,
	.next = walk_cpus_next,
	.stop = walk_stop,
	.show = active_show,
};
