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

static u64 active_latency_ns(const struct window *window, u64 now)
{
	u64 began_ns = window_began(window);

	return began_ns && now > began_ns ? now - began_ns : 0;
}

u64 active_read(int cpu, enum window_kind finder, u64 now, struct window *copy)
{
	const struct window *window = check_window(cpu);
	u64 off_ns = 0, latency_ns;	/* time that does not count for this window */

	if (!cpus_is_running(cpu) && !cpus_is_late(cpu))
		return 0;
	if (finder == WINDOW_SOFTIRQ) {
		off_ns = active_latency_ns(window, now);
		/* A shorter window will have no record of its own. */
		if (off_ns < READ_ONCE(settings.threshold_ns))
			off_ns = 0;
		window = softirqs_window(cpu);
	} else if (finder == WINDOW_NOSCHED) {
		off_ns = nosched_not_counted_ns(cpu, now);
		window = nosched_window(cpu);
	}
	if (!window_read(window, copy))
		return 0;
	latency_ns = active_latency_ns(copy, now);
	latency_ns -= min(latency_ns, off_ns);
	return latency_ns >= READ_ONCE(settings.threshold_ns) ? latency_ns : 0;
}

static int active_show(struct seq_file *m, void *v)
{
	struct window *copy = &((struct active *)m->private)->copy;
	u64 now = ktime_get_ns(), latency_ns;
	int cpu = *(loff_t *)v;
	enum window_kind kind;

	for (kind = 0; kind < NR_WINDOW_KINDS; kind++) {
		latency_ns = active_read(cpu, kind, now, copy);
		if (!latency_ns)
			continue;
		symbols_lock();
		print_open_window(m, cpu, copy, now, latency_ns);
		symbols_unlock();
	}
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
