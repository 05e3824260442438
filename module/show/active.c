// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The file active: windows that are open now and have reached the threshold, as lines of the file
 * records with seq=0. A window gets its own record when it ends, but the worst window may not end.
 * Context: process; active_read() also in a panic. No CPU is interrupted.
 */
#include <linux/ktime.h>
#include <linux/minmax.h>

#include "cpus.h"
#include "detect/delays.h"
#include "detect/nmi.h"
#include "record/announce.h"
#include "record/record.h"
#include "record/window.h"
#include "settings.h"
#include "show/files.h"

/* One open file. */
struct active {
	u64 changes;		/* announce_nr_changes() at the last read */
	struct record record;	/* of the window to print */
};

static u64 active_latency_ns(u64 began_ns, u64 now)
{
	return began_ns && now > began_ns ? now - began_ns : 0;
}

bool active_read(int cpu, enum window_kind finder, u64 now, struct record *record)
{
	const struct window *window = check_window(cpu);
	u64 off_ns = 0, latency_ns;	/* time that does not count for this window */

	if (!cpus_is_running(cpu) && !cpus_is_late(cpu))
		return false;
	if (finder == WINDOW_SOFTIRQ) {
		off_ns = active_latency_ns(window_began(window), now);
		/* A shorter window will have no record of its own. */
		if (off_ns < READ_ONCE(settings.threshold_ns))
			off_ns = 0;
		window = softirqs_window(cpu);
	} else if (finder == WINDOW_NOSCHED) {
		off_ns = nosched_not_counted_ns(cpu, now);
		window = nosched_window(cpu);
	}
	latency_ns = active_latency_ns(window_read(window, record), now);
	latency_ns -= min(latency_ns, off_ns);
	if (!latency_ns || latency_ns < READ_ONCE(settings.threshold_ns))
		return false;

	record->cpu = cpu;
	record->end_mono_ns = now;
	record->end_real_ns = ktime_get_real_fast_ns();
	record->latency_ns = latency_ns;
	record->max_ns = latency_ns;
	if (record->nr_samples) {
		record->end = record->samples[record->nr_samples - 1];
		record->end.nr_entries = 0;
	} else {
		record->end = (struct sample) { .comm = "-", .state = STATE_UNKNOWN };
	}
	return true;
}

static int active_show(struct seq_file *m, void *v)
{
	struct record *record = &((struct active *)m->private)->record;
	enum window_kind finder;

	for (finder = 0; finder < NR_WINDOW_KINDS; finder++) {
		if (!active_read(*(loff_t *)v, finder, ktime_get_ns(), record))
			continue;
		symbols_lock();
		print_record_line(m, record);
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
