// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The file active: windows that are open now and have reached the threshold. A window gets its
 * record when it ends, but the worst window may not end.
 *
 * Context: process. Only reads memory: no CPU is interrupted.
 */
#include <linux/cpumask.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "cpus.h"
#include "detect/nmi.h"
#include "detect/softirqs.h"
#include "record/window.h"
#include "settings.h"
#include "show/files.h"
#include "show/print.h"

static u64 active_latency_ns(u64 began_ns, u64 now)
{
	return began_ns && now > began_ns ? now - began_ns : 0;
}

/* @copy: scratch memory; @off_ns: hardirq time, which does not count as softirq latency */
static void active_show_window(struct seq_file *m, int cpu, const struct window *window,
			       struct window *copy, u64 now, u64 off_ns)
{
	u64 latency_ns;

	if (!window_read(window, copy))
		return;

	latency_ns = active_latency_ns(copy->began_ns, now);
	latency_ns -= min(latency_ns, off_ns);
	if (latency_ns >= READ_ONCE(settings.threshold_ns))
		print_open_window(m, cpu, copy, now, latency_ns);
}

int active_show(struct seq_file *m, void *v)
{
	struct window *copy = kmalloc(sizeof(*copy), GFP_KERNEL);
	int cpu;

	if (!copy)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		const struct window *window = nmi_window(cpu);
		u64 now = ktime_get_ns(), off_ns = 0;

		if (!cpus_is_running(cpu) && !cpus_is_late(cpu))
			continue;
		active_show_window(m, cpu, window, copy, now, 0);
		if (READ_ONCE(window->kind) == WINDOW_HARDIRQ)
			off_ns = active_latency_ns(window_began(window), now);
		active_show_window(m, cpu, softirqs_window(cpu), copy, now, off_ns);
	}
	kfree(copy);
	return 0;
}
