// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The file active: windows that are open now and have reached the threshold. A window has
 * a record only when it has ended, and the worst window does not end.
 *
 * Context: process. Only reads memory: no CPU is interrupted.
 */
#include <linux/cpumask.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "cpus.h"
#include "detect/nmi.h"
#include "detect/softirq.h"
#include "record/window.h"
#include "settings.h"
#include "show/files.h"
#include "show/print.h"

static u64 age(u64 began_ns, u64 now)
{
	return began_ns && now > began_ns ? now - began_ns : 0;
}

/*
 * @copy: memory for a copy of @from
 * @off_ns: hardirq time, which does not count as softirq latency
 */
static void show_if_open(struct seq_file *m, int cpu, const struct window *from,
			 struct window *copy, u64 now, u64 off_ns)
{
	u64 latency_ns;

	if (!window_read(from, copy))
		return;

	latency_ns = age(copy->began_ns, now);
	latency_ns -= min(latency_ns, off_ns);
	if (latency_ns >= READ_ONCE(settings.threshold_ns))
		print_open_window(m, cpu, copy, now, latency_ns);
}

static void show_cpu(struct seq_file *m, int cpu, struct window *copy)
{
	const struct window *watched = nmi_window(cpu);
	u64 now = ktime_get_ns();
	u64 off_ns;

	show_if_open(m, cpu, watched, copy, now, 0);
	off_ns = READ_ONCE(watched->kind) == WINDOW_HARDIRQ ? age(window_began(watched), now) : 0;
	show_if_open(m, cpu, softirqs_window(cpu), copy, now, off_ns);
}

int active_show(struct seq_file *m, void *v)
{
	struct window *copy = kmalloc(sizeof(*copy), GFP_KERNEL);
	int cpu;

	if (!copy)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		if (cpus_is_running(cpu) || cpus_is_late(cpu))
			show_cpu(m, cpu, copy);
	kfree(copy);
	return 0;
}
