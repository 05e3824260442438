// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The files in /proc/trace_irqoff, and the settings among them. No read and no write waits for a
 * CPU, but for a timer callback that runs right now (control.c).
 *
 * Context: process.
 */
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat.h"
#include "control.h"
#include "cpus.h"
#include "detect/counter.h"
#include "detect/nmi.h"
#include "detect/check.h"
#include "detect/tick.h"
#include "record/histogram.h"
#include "record/record.h"
#include "record/recorder.h"
#include "settings.h"
#include "show/files.h"
#include "text.h"
#include "version.h"

#define DIRECTORY	"trace_irqoff"

#define WORD_MAX	32		/* bytes: a number or a word, with a newline */
#define LIST_MAX	PAGE_SIZE	/* bytes: a list of CPUs */

/**
 * struct proc_file - one file
 * @name: its name
 * @show: prints a small file
 * @seq: or: prints a file piece by piece
 * @private_size: memory that @seq needs for each open file
 * @set: takes what was written, without white space around it
 * @set_max: bytes to write at most
 */
struct proc_file {
	const char *name;
	int (*show)(struct seq_file *m, void *v);
	const struct seq_operations *seq;
	const size_t *private_size;
	int (*set)(const char *text);
	size_t set_max;
};

static int enable_show(struct seq_file *m, void *v)
{
	seq_puts(m, control_enabled() ? "enabled\n" : "disabled\n");
	return 0;
}

static int enable_set(const char *text)
{
	/* kstrtobool() would take any word that begins like one of these. */
	static const char * const words[] = {
		"0", "1", "n", "y", "no", "yes", "off", "on", "f", "t", "false", "true",
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcasecmp(text, words[i])) {
			control_enable(i & 1);
			return 0;
		}
	return -EINVAL;
}

static int sampling_period_show(struct seq_file *m, void *v)
{
	text_show_setting(m, READ_ONCE(settings.period_ns));
	seq_putc(m, '\n');
	return 0;
}

static int trace_latency_set(const char *text)
{
	if (strcmp(text, "0"))
		return control_set_threshold(text);
	control_clear();
	return 0;
}

static int cpus_show(struct seq_file *m, void *v)
{
	cpumask_var_t mask;

	if (!alloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;

	control_get_cpus(mask);
	seq_printf(m, "%*pbl\n", cpumask_pr_args(mask));
	free_cpumask_var(mask);
	return 0;
}

static void show_cpus(struct seq_file *m, const char *key, bool (*has)(int cpu),
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

static void show_nmi(struct seq_file *m, const struct cpumask *monitored)
{
	const char *obstacle = nmi_obstacle();
	struct nmi_counts counts;

	if (!obstacle && cpumask_weight(monitored) == 1)
		obstacle = "one CPU";

	nmi_count_all(&counts);
	if (obstacle)
		seq_printf(m, "nmi: off (%s)\n", obstacle);
	else
		seq_puts(m, "nmi: on\n");
	seq_printf(m, "nmi_sent: %llu\nnmi_taken: %llu\nnmi_late: %llu\n",
		   counts.sent, counts.taken, counts.late);
	seq_printf(m, "counter: %s\ncounter_nmis: %llu\n", counter_state(), counter_nmis());
}

static void show_windows(struct seq_file *m, enum window_kind kind, const char *name)
{
	struct record_counts counts;

	record_count(kind, &counts);
	seq_printf(m, "windows_%s: %llu\n", name, counts.windows);
	seq_printf(m, "windows_%s_us: %llu\n", name, div_u64(counts.latency_ns, NSEC_PER_USEC));
}

/* Where ticks come from, and the distance of a latency's bounds on a busy CPU. */
static void show_source(struct seq_file *m)
{
	const char *state = tick_sched_state();
	u64 bounds_ns = READ_ONCE(settings.timer_ns);

	if (state) {
		seq_printf(m, "\ntick_source: own timer (scheduler's tick: %s)", state);
	} else {
		seq_puts(m, "\ntick_source: scheduler");
		bounds_ns = min_t(u64, bounds_ns, TICK_NSEC);
	}
	seq_puts(m, "\nbounds: ");
	text_show_setting(m, bounds_ns);
}

static u64 count_ticks(void)
{
	struct histogram sum = {};
	int cpu;

	for_each_possible_cpu(cpu)
		histogram_read(cpu, WINDOW_HARDIRQ, &sum);
	return histogram_count(&sum);
}

static int status_show(struct seq_file *m, void *v)
{
	struct recorder_counts counts;
	cpumask_var_t mask;

	if (!alloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;

	recorder_count(&counts);
	seq_puts(m, "version: " TRACE_IRQOFF_VERSION "\n");
	seq_printf(m, "enabled: %d\n", control_enabled());
	seq_puts(m, "sampling_period: ");
	sampling_period_show(m, v);
	seq_puts(m, "threshold: ");
	text_show_setting(m, READ_ONCE(settings.threshold_ns));
	show_source(m);
	seq_puts(m, "\ncpus: ");
	control_get_cpus(mask);
	seq_printf(m, "%*pbl\n", cpumask_pr_args(mask));
	show_nmi(m, mask);
	show_cpus(m, "cpus_running", cpus_is_running, mask);
	show_cpus(m, "cpus_late", cpus_is_late, mask);
	show_cpus(m, "cpus_own_timer", tick_timer_runs, mask);
	seq_printf(m, "windows_unsampled: %llu\n", check_unsampled());
	seq_printf(m, "ticks: %llu\n", count_ticks());
	show_windows(m, WINDOW_HARDIRQ, "hardirq");
	show_windows(m, WINDOW_SOFTIRQ, "softirq");
	seq_printf(m, "nr_records: %u\n", recorder_size());
	seq_printf(m, "records_kept: %llu\nrecords_overwritten: %llu\nrecords_lost: %llu\n",
		   counts.kept, counts.overwritten, counts.lost);
	free_cpumask_var(mask);
	return 0;
}

static const struct proc_file files[] = {
	{ .name = "enable", .show = enable_show, .set = enable_set, .set_max = WORD_MAX },
	{ .name = "sampling_period", .show = sampling_period_show,
	  .set = control_set_period, .set_max = WORD_MAX },
	{ .name = "trace_latency", .seq = &report_trace_latency_ops,
	  .private_size = &report_private_size,
	  .set = trace_latency_set, .set_max = WORD_MAX },
	{ .name = "distribute", .show = tables_show_distribute },
	{ .name = "records", .seq = &report_records_ops, .private_size = &report_private_size },
	{ .name = "active", .show = active_show },
	{ .name = "histogram", .seq = &tables_histogram_ops },
	{ .name = "status", .show = status_show },
	{ .name = "cpus", .show = cpus_show, .set = control_set_cpus, .set_max = LIST_MAX },
};

static int file_open(struct inode *inode, struct file *file)
{
	const struct proc_file *f = compat_pde_data(inode);
	size_t size = f->private_size ? *f->private_size : 0;

	/* Root in a container is not enough. */
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (f->show)
		return single_open(file, f->show, NULL);
	return __seq_open_private(file, f->seq, size) ? 0 : -ENOMEM;
}

static int file_release(struct inode *inode, struct file *file)
{
	const struct proc_file *f = compat_pde_data(inode);

	return f->show ? single_release(inode, file) : seq_release_private(inode, file);
}

static ssize_t file_write(struct file *file, const char __user *buf, size_t count, loff_t *ppos)
{
	const struct proc_file *f = compat_pde_data(file_inode(file));
	char *text;
	int ret;

	/* Root may open any file for writing. */
	if (!f->set)
		return -EIO;
	if (count > f->set_max)
		return -E2BIG;

	text = memdup_user_nul(buf, count);
	if (IS_ERR(text))
		return PTR_ERR(text);

	/* A NUL inside would hide what follows it. */
	ret = strlen(text) == count ? f->set(strim(text)) : -EINVAL;
	kfree(text);
	return ret ?: count;
}

static const struct proc_ops file_ops = {
	.proc_open = file_open,
	.proc_read = seq_read,
	.proc_write = file_write,
	.proc_lseek = seq_lseek,
	.proc_release = file_release,
};

static struct proc_dir_entry *directory;

int procfs_init(void)
{
	int i;

	directory = proc_mkdir_mode(DIRECTORY, 0500, NULL);
	if (!directory)
		return -ENOMEM;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		const struct proc_file *f = &files[i];

		if (!proc_create_data(f->name, f->set ? 0600 : 0400, directory, &file_ops,
				      (void *)f)) {
			procfs_exit();
			return -ENOMEM;
		}
	}
	return 0;
}

void procfs_exit(void)
{
	proc_remove(directory);
}
