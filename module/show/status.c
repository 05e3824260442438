// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The file status: settings in force, what cannot be found, and counters. Context: process.
 */
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "cpus.h"
#include "detect/nmi.h"
#include "detect/tick.h"
#include "detect/watch.h"
#include "handlers/handlers.h"
#include "record/histogram.h"
#include "record/record.h"
#include "settings.h"
#include "show/files.h"
#include "text.h"
#include "version.h"

static void status_show_cpus(struct seq_file *m, const char *key, bool (*has)(int cpu),
			     struct cpumask *mask)
{
	int cpu;

	cpumask_clear(mask);
	for_each_possible_cpu(cpu)
		if (has(cpu))
			cpumask_set_cpu(cpu, mask);
	if (cpumask_empty(mask))
		seq_printf(m, "%s: none\n", key);
	else
		seq_printf(m, "%s: %*pbl\n", key, cpumask_pr_args(mask));
}

static void status_show_nmi(struct seq_file *m, const char *obstacle)
{
	struct nmi_counts counts;

	if (obstacle)
		seq_printf(m, "nmi: off (%s)\n", obstacle);
	else
		seq_puts(m, "nmi: on\n");
	nmi_count_all(&counts);
	seq_printf(m, "nmi_sent: %llu\nnmi_taken: %llu\nnmi_late: %llu\n",
		   counts.sent, counts.taken, counts.late);
	if (COUNTER_SUPPORTED)
		seq_printf(m, "counter: %s\ncounter_nmis: %llu\n",
			   counter_state(), counter_nr_nmis());
}

/*
 * What cannot be found with these settings. Documentation/measuring.md has details.
 * @obstacle: why no NMIs are sent, or NULL
 * @others: online CPUs that are not monitored
 */
static void status_show_blind(struct seq_file *m, const char *obstacle,
			      const struct cpumask *others)
{
	if (!settings_enabled()) {
		seq_puts(m, "blind: everything: tracing is disabled\n");
		return;
	}
	seq_puts(m, "blind: windows shorter than bounds");
	if (obstacle)
		seq_puts(m, "; hypervisors that do not report stolen time");
	if (!READ_ONCE(settings.nosched))
		seq_puts(m, "; kernel code with interrupts and softirqs on");
	if (obstacle && (!COUNTER_SUPPORTED || strcmp(counter_state(), "on")))
		seq_puts(m, "; samples with interrupts off");
	if (!cpumask_empty(others))
		seq_printf(m, "; CPUs %*pbl", cpumask_pr_args(others));
	seq_putc(m, '\n');
}

static void status_show_windows(struct seq_file *m, enum window_kind kind)
{
	const char *name = print_kind(kind);
	struct record_counts counts;

	record_count(kind, &counts);
	seq_printf(m, "windows_%s: %llu\n", name, counts.windows);
	seq_printf(m, "windows_%s_us: %llu\n", name, div_u64(counts.latency_ns, NSEC_PER_USEC));
	seq_printf(m, "windows_%s_stolen: %llu\n", name, counts.stolen);
	seq_printf(m, "windows_%s_stolen_us: %llu\n", name,
		   div_u64(counts.stolen_latency_ns, NSEC_PER_USEC));
	seq_printf(m, "windows_%s_paused: %llu\n", name, counts.paused);
	seq_printf(m, "windows_%s_paused_us: %llu\n", name,
		   div_u64(counts.paused_latency_ns, NSEC_PER_USEC));
}

static void status_show_duration(struct seq_file *m, const char *key, u64 ns)
{
	seq_printf(m, "%s: ", key);
	text_show_setting(m, ns);
	seq_putc(m, '\n');
}

/* Where ticks come from, and how far apart the bounds of a hardirq window are at most. */
static void status_show_source(struct seq_file *m)
{
	const char *state = READ_ONCE(tick_sched_missing);
	u64 timer_ns = READ_ONCE(settings.timer_ns);

	if (state)
		seq_printf(m, "tick_source: own timer (scheduler's tick: %s)\n", state);
	else
		seq_puts(m, "tick_source: scheduler\n");
	status_show_duration(m, "bounds", state ? timer_ns : min_t(u64, timer_ns, TICK_NSEC));
	status_show_duration(m, "bounds_idle", READ_ONCE(settings.slow_check_ns));
}

/* Each tick of a busy CPU counts a hardirq latency. (A window that a check ends counts, too.) */
static u64 status_ticks(void)
{
	struct histogram sum = {};
	int cpu;

	for_each_possible_cpu(cpu)
		histogram_read(cpu, WINDOW_HARDIRQ, &sum);
	return histogram_count(&sum);
}

int status_show(struct seq_file *m, void *v)
{
	struct recorder_counts counts;
	enum window_kind kind;
	const char *obstacle;
	cpumask_var_t mask;

	if (!alloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;

	recorder_count(&counts);
	seq_puts(m, "version: " TRACE_IRQOFF_VERSION "\nformat: " TRACE_IRQOFF_FORMAT "\n");
	seq_printf(m, "enabled: %d\n", settings_enabled());
	status_show_duration(m, "sampling_period", READ_ONCE(settings.period_ns));
	status_show_duration(m, "threshold", READ_ONCE(settings.threshold_ns));
	seq_printf(m, "nosched: %s\n", READ_ONCE(settings.nosched) ? "on" : "off");
	seq_puts(m, "session: ");
	settings_show_session(m, NULL);
	status_show_source(m);
	settings_get_cpus(mask);
	seq_printf(m, "cpus: %*pbl\n", cpumask_pr_args(mask));
	cpumask_and(mask, mask, cpu_online_mask);
	obstacle = nmi_obstacle();
	if (!obstacle && cpumask_weight(mask) <= 1)
		obstacle = "one CPU";
	status_show_nmi(m, obstacle);
	cpumask_andnot(mask, cpu_online_mask, mask);
	status_show_blind(m, obstacle, mask);
	seq_puts(m, "handlers_missing: ");
	handlers_show_missing(m);
	seq_putc(m, '\n');
	status_show_cpus(m, "cpus_running", cpus_is_running, mask);
	status_show_cpus(m, "cpus_late", cpus_is_late, mask);
	status_show_cpus(m, "cpus_own_timer", tick_timer_runs, mask);
	seq_printf(m, "groups: %u\nticks: %llu\n", watch_nr_groups, status_ticks());
	for (kind = 0; kind < NR_WINDOW_KINDS; kind++)
		status_show_windows(m, kind);
	seq_printf(m, "nr_records: %u\n", counts.slots);
	seq_printf(m, "records_kept: %llu\nrecords_overwritten: %llu\nrecords_lost: %llu\n",
		   counts.kept, counts.overwritten, counts.lost);
	free_cpumask_var(mask);
	return 0;
}
