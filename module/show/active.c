// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The file active: windows that are open now and have reached the threshold. A window gets its
 * record when it ends, but the worst window may not end. Context: process. No CPU is interrupted.
 */
#include <linux/ktime.h>
#include <linux/minmax.h>

#include "cpus.h"
#include "detect/delays.h"
#include "detect/nmi.h"
#include "record/announce.h"
#include "record/window.h"
#include "settings.h"
#include "show/files.h"

/* One open file. */
struct active {
	u64 changes;		/* announce_nr_changes() at the last read */
	struct window copy;	/* of the window to print */
};

static u64 active_latency_ns(u64 began_ns, u64 now)
{
	return began_ns && now > began_ns ? now - began_ns : 0;
}

/* @off_ns: time that does not count for this window */
static void active_show_window(struct seq_file *m, int cpu, const struct window *window,
			       u64 now, u64 off_ns)
{
	struct window *copy = &((struct active *)m->private)->copy;
	u64 latency_ns;

	if (!window_read(window, copy))
		return;

	latency_ns = active_latency_ns(copy->began_ns, now);
	latency_ns -= min(latency_ns, off_ns);
	if (latency_ns >= READ_ONCE(settings.threshold_ns))
		print_open_window(m, cpu, copy, now, latency_ns);
}

static int active_show(struct seq_file *m, void *v)
{
	int cpu = *(loff_t *)v;
	const struct window *window = nmi_window(cpu);
	u64 now = ktime_get_ns(), off_ns;

	if (!cpus_is_running(cpu) && !cpus_is_late(cpu))
		return 0;
	active_show_window(m, cpu, window, now, 0);
	off_ns = active_latency_ns(window_began(window), now);
	/* A shorter window will have no record of its own. */
	if (off_ns < READ_ONCE(settings.threshold_ns))
		off_ns = 0;
	active_show_window(m, cpu, softirqs_window(cpu), now, off_ns);
	active_show_window(m, cpu, nosched_window(cpu), now, nosched_not_counted_ns(cpu, now));
	return 0;
}

static void *active_start(struct seq_file *m, loff_t *pos)
{
	struct active *active = m->private;

	/* Before the windows are read: a change meanwhile is seen by the next poll. */
	if (*pos == 0)
		active->changes = announce_nr_changes();
	return print_start_cpu(m, pos);
}

static const struct seq_operations active_ops = {
	.start = active_start,
	.next = print_next_cpu,
	.stop = print_stop,
	.show = active_show,
};

int active_open(struct file *file)
{
	struct active *active = __seq_open_private(file, &active_ops, sizeof(*active));

	if (!active)
		return -ENOMEM;
	active->changes = announce_nr_changes();
	return 0;
}

bool active_has_changed(struct seq_file *m)
{
	struct active *active = m->private;

	return READ_ONCE(m->count) || READ_ONCE(active->changes) != announce_nr_changes();
}
