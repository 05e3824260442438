// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The files in /proc/trace_irqoff: their permissions, and the contents of the small ones. No read
 * and no write waits for a CPU, except for a timer callback that runs right now (control.c).
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
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat.h"
#include "cpus.h"
#include "detect/counter.h"
#include "detect/nmi.h"
#include "detect/check.h"
#include "detect/tick.h"
#include "record/announce.h"
#include "record/histogram.h"
#include "record/record.h"
#include "record/recorder.h"
#include "settings.h"
#include "show/files.h"
#include "show/print.h"
#include "text.h"
#include "version.h"

#define WORD_MAX	32		/* bytes of a number or a word, with a newline */
#define LIST_MAX	PAGE_SIZE	/* bytes of a list of CPUs */

/**
 * struct proc_file - one file
 * @name: its name
 * @show: prints all of a small file
 * @open: opens a large file; NULL if @show is set
 * @has_news: poll(2): whether a read would return something new; NULL: always
 * @setting: what a write sets, see settings_set(); NULL: nothing
 * @seek: a write changes only where reads of this open file begin
 * @is_session: opening the file for writing opens the session
 * @write_max: bytes that may be written at once; 0: read only
 */
struct proc_file {
	const char *name;
	int (*show)(struct seq_file *m, void *v);
	int (*open)(struct file *file);
	bool (*has_news)(struct seq_file *m);
	const char *setting;
	int (*seek)(struct seq_file *m, const char *text);
	bool is_session;
	size_t write_max;
};

static int enable_show(struct seq_file *m, void *v)
{
	seq_puts(m, settings_enabled() ? "enabled\n" : "disabled\n");
	return 0;
}

static int sampling_period_show(struct seq_file *m, void *v)
{
	text_show_setting(m, READ_ONCE(settings.period_ns));
	seq_putc(m, '\n');
	return 0;
}

static int nosched_show(struct seq_file *m, void *v)
{
	seq_puts(m, READ_ONCE(settings.nosched) ? "enabled\n" : "disabled\n");
	return 0;
}

static int cpus_show(struct seq_file *m, void *v)
{
	cpumask_var_t mask;

	if (!alloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;

	settings_get_cpus(mask);
	seq_printf(m, "%*pbl\n", cpumask_pr_args(mask));
	free_cpumask_var(mask);
	return 0;
}

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
	seq_printf(m, "counter: %s\ncounter_nmis: %llu\n", counter_state(), counter_nmis());
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
	seq_puts(m, "blind: windows shorter than bounds; "
		    "hypervisors that do not report stolen time");
	if (!READ_ONCE(settings.nosched))
		seq_puts(m, "; kernel code with interrupts and softirqs on");
	if (obstacle && strcmp(counter_state(), "on"))
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
}

static void status_show_duration(struct seq_file *m, const char *key, u64 ns)
{
	seq_printf(m, "%s: ", key);
	text_show_setting(m, ns);
	seq_putc(m, '\n');
}

/* Where ticks come from, and how far apart a latency's bounds are on a busy CPU. */
static void status_show_source(struct seq_file *m)
{
	const char *state = tick_sched_state();
	u64 timer_ns = READ_ONCE(settings.timer_ns);

	if (state)
		seq_printf(m, "tick_source: own timer (scheduler's tick: %s)\n", state);
	else
		seq_puts(m, "tick_source: scheduler\n");
	status_show_duration(m, "bounds", state ? timer_ns : min_t(u64, timer_ns, TICK_NSEC));
}

/* Each tick counts a hardirq latency. (Each window that a check ends counts one more.) */
static u64 status_ticks(void)
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
	settings_show_session(m);
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
	status_show_cpus(m, "cpus_running", cpus_is_running, mask);
	status_show_cpus(m, "cpus_late", cpus_is_late, mask);
	status_show_cpus(m, "cpus_own_timer", tick_timer_runs, mask);
	seq_printf(m, "windows_unsampled: %llu\nticks: %llu\n", check_unsampled(), status_ticks());
	for (kind = 0; kind < NR_WINDOW_KINDS; kind++)
		status_show_windows(m, kind);
	seq_printf(m, "nr_records: %u\n", counts.slots);
	seq_printf(m, "records_kept: %llu\nrecords_overwritten: %llu\nrecords_lost: %llu\n",
		   counts.kept, counts.overwritten, counts.lost);
	free_cpumask_var(mask);
	return 0;
}

static int session_show(struct seq_file *m, void *v)
{
	settings_show_session(m);
	return 0;
}

static const struct proc_file files[] = {
	{ .name = "enable", .show = enable_show, .setting = "enable", .write_max = WORD_MAX },
	{ .name = "sampling_period", .show = sampling_period_show,
	  .setting = "sampling_period", .write_max = WORD_MAX },
	{ .name = "trace_latency", .open = report_open_trace_latency,
	  .setting = "threshold", .write_max = WORD_MAX },
	{ .name = "nosched", .show = nosched_show, .setting = "nosched", .write_max = WORD_MAX },
	{ .name = "cpus", .show = cpus_show, .setting = "cpus", .write_max = LIST_MAX },
	{ .name = "session", .show = session_show, .is_session = true, .write_max = LIST_MAX },
	{ .name = "distribute", .show = tables_show_distribute },
	{ .name = "records", .open = report_open_records, .has_news = report_has_records,
	  .seek = report_skip_records, .write_max = WORD_MAX },
	{ .name = "active", .open = active_open, .has_news = active_has_changed },
	{ .name = "histogram", .open = tables_open_histogram },
	{ .name = "status", .show = status_show },
};

static bool procfs_has_session(const struct proc_file *f, const struct file *file)
{
	return f->is_session && file->f_mode & FMODE_WRITE;
}

/*
 * A session holds a reference to the module, so rmmod fails. Once procfs_release() has dropped it,
 * rmmod may run: proc_remove() waits until procfs_release() has returned.
 */
static int procfs_open(struct inode *inode, struct file *file)
{
	const struct proc_file *f = compat_pde_data(inode);
	int ret;

	/* Root in a container must not see tasks of other containers. */
	if (file->f_mode & FMODE_WRITE ? !capable(CAP_SYS_ADMIN) : !perfmon_capable())
		return -EPERM;
	if (f->open)
		return f->open(file);
	ret = single_open(file, f->show, NULL);
	if (ret || !procfs_has_session(f, file))
		return ret;

	ret = -ENODEV;
	if (try_module_get(THIS_MODULE)) {
		ret = settings_open_session();
		if (ret)
			module_put(THIS_MODULE);
	}
	if (ret)
		single_release(inode, file);
	return ret;
}

static int procfs_release(struct inode *inode, struct file *file)
{
	const struct proc_file *f = compat_pde_data(inode);

	struct seq_file *m = file->private_data;
	bool was_polled = m->poll_event;

	if (procfs_has_session(f, file)) {
		settings_close_session();
		module_put(THIS_MODULE);
	}
	if (f->show)
		single_release(inode, file);
	else
		seq_release_private(inode, file);
	if (was_polled)
		module_put(THIS_MODULE);
	return 0;
}

/*
 * As in /proc/mounts, a file is always readable, as no read waits: the shell of busybox polls
 * before it reads. News are POLLPRI.
 *
 * An epoll set may have a file in announce_wait until the file is closed, even after proc_remove().
 * So a file that was polled holds a reference to the module: poll_event is set.
 */
static __poll_t procfs_poll(struct file *file, struct poll_table_struct *table)
{
	const struct proc_file *f = compat_pde_data(file_inode(file));
	struct seq_file *m = file->private_data;
	__poll_t mask = EPOLLIN | EPOLLRDNORM;

	if (!f->has_news)
		return DEFAULT_POLLMASK;

	/* A read that goes on at the same time changes the position. */
	mutex_lock(&m->lock);
	if (!m->poll_event && try_module_get(THIS_MODULE))
		m->poll_event = 1;
	if (m->poll_event) {
		poll_wait(file, &announce_wait, table);
		/* Orders poll_wait() before the test. Pairs with announce_record(). */
		smp_mb();
		if (f->has_news(m))
			mask |= EPOLLPRI | EPOLLERR;
	} else {
		mask = EPOLLERR;
	}
	mutex_unlock(&m->lock);
	return mask;
}

/* Let the next read of this open file begin elsewhere. */
static int procfs_seek(const struct proc_file *f, struct file *file, const char *text, loff_t *ppos)
{
	struct seq_file *m = file->private_data;
	int ret;

	mutex_lock(&m->lock);
	ret = f->seek(m, text);
	if (!ret) {
		m->index = 0;
		m->count = 0;
		m->read_pos = 0;
		*ppos = 0;
	}
	mutex_unlock(&m->lock);
	return ret;
}

static int procfs_set(const struct proc_file *f, char *text)
{
	if (f->is_session)
		return settings_set_session(text);
	/* 0 clears the records, as in trace-irqoff. */
	if (!strcmp(f->setting, "threshold") && !strcmp(text, "0"))
		return settings_clear();
	return settings_set(f->setting, text);
}

static ssize_t procfs_write(struct file *file, const char __user *buf, size_t count, loff_t *ppos)
{
	const struct proc_file *f = compat_pde_data(file_inode(file));
	char *text;
	int ret;

	/* Root can open a read-only file for writing. */
	if (!f->write_max)
		return -EIO;
	if (count > f->write_max)
		return -E2BIG;

	text = memdup_user_nul(buf, count);
	if (IS_ERR(text))
		return PTR_ERR(text);

	/* A NUL in the text would hide what follows. */
	if (strlen(text) != count)
		ret = -EINVAL;
	else if (f->seek)
		ret = procfs_seek(f, file, strim(text), ppos);
	else
		ret = procfs_set(f, strim(text));
	kfree(text);
	return ret ?: count;
}

static const struct proc_ops procfs_ops = {
	.proc_open = procfs_open,
	.proc_read = seq_read,
	.proc_write = procfs_write,
	.proc_lseek = seq_lseek,
	.proc_poll = procfs_poll,
	.proc_release = procfs_release,
};

static struct proc_dir_entry *directory;

int procfs_init(void)
{
	const struct proc_file *f;

	directory = proc_mkdir_mode("trace_irqoff", 0500, NULL);
	if (!directory)
		return -ENOMEM;

	for (f = files; f < files + ARRAY_SIZE(files); f++)
		if (!proc_create_data(f->name, f->write_max ? 0600 : 0400, directory, &procfs_ops,
				      (void *)f)) {
			procfs_exit();
			return -ENOMEM;
		}
	return 0;
}

void procfs_exit(void)
{
	proc_remove(directory);
}
