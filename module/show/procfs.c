// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The files in /proc/trace_irqoff: their permissions, and the contents of the settings. No read and
 * no write waits for a CPU (see settings.c). Context: process.
 */
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kmemleak.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat.h"
#include "handlers/handlers.h"
#include "record/announce.h"
#include "settings.h"
#include "show/files.h"
#include "text.h"

#define WORD_MAX	32		/* bytes of a number or a word, with a newline */
#define LIST_MAX	PAGE_SIZE	/* bytes of a list of CPUs */

struct proc_file {
	const char *name;
	int (*show)(struct seq_file *m, void *v);	/* prints all of a small file */
	int (*open)(struct file *file);			/* opens a large file */
	void (*close)(struct seq_file *m);		/* frees what its reads have allocated */
	/*
	 * poll(2): whether a read would return something new; NULL: always. Without m->lock: a read
	 * at the same time may make the answer wrong.
	 */
	bool (*has_news)(struct seq_file *m);
	const char *setting;	/* what a write sets, see settings_set() */
	int (*seek)(struct seq_file *m, const char *text);	/* a write sets where reads begin */
	int (*write)(char *text);	/* does what a write asks for */
	bool is_session;	/* opening the file for writing opens the session */
	size_t write_max;	/* bytes that may be written at once; 0: read only */
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

static int handlers_write(char *text)
{
	bool on;

	return settings_read_bool(text, &on) ?: handlers_switch(on);
}

static const struct proc_file files[] = {
	{ .name = "enable", .show = enable_show, .setting = "enable", .write_max = WORD_MAX },
	{ .name = "sampling_period", .show = sampling_period_show,
	  .setting = "sampling_period", .write_max = WORD_MAX },
	{ .name = "trace_latency", .open = report_open_trace_latency,
	  .close = report_close_trace_latency, .setting = "threshold", .write_max = WORD_MAX },
	{ .name = "nosched", .show = nosched_show, .setting = "nosched", .write_max = WORD_MAX },
	{ .name = "cpus", .show = cpus_show, .setting = "cpus", .write_max = LIST_MAX },
	{ .name = "session", .show = settings_show_session, .is_session = true,
	  .write = settings_set_session, .write_max = LIST_MAX },
	{ .name = "distribute", .show = tables_show_distribute },
	{ .name = "records", .open = report_open_records, .has_news = report_has_records,
	  .seek = report_skip_records, .write_max = WORD_MAX },
	{ .name = "active", .open = active_open, .has_news = active_has_changed },
	{ .name = "histogram", .open = tables_open_histogram },
	{ .name = "handlers", .open = handlers_open, .write = handlers_write,
	  .write_max = WORD_MAX },
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
	if (f->close)
		f->close(m);
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
 * before it reads. A file with news also has POLLPRI and POLLERR.
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

	if (!READ_ONCE(m->poll_event)) {
		if (!try_module_get(THIS_MODULE))
			return EPOLLERR;
		if (cmpxchg(&m->poll_event, 0, 1))
			module_put(THIS_MODULE);
	}
	poll_wait(file, &announce_wait, table);
	/* Orders poll_wait() before the loads of has_news(). Pairs with announce_wake(). */
	smp_mb();
	if (f->has_news(m))
		mask |= EPOLLPRI | EPOLLERR;
	return mask;
}

/* Let the next read of this open file begin elsewhere. */
static int procfs_seek(const struct proc_file *f, struct file *file, const char *text, loff_t *ppos)
{
	struct seq_file *m = file->private_data;
	int ret;

	mutex_lock(&m->lock);
	ret = f->seek(m, text);
	/* At position 0, seq_read() drops what is left in its buffer. */
	if (!ret)
		*ppos = 0;
	mutex_unlock(&m->lock);
	return ret;
}

static int procfs_set(const struct proc_file *f, char *text)
{
	if (f->write)
		return f->write(text);
	/* 0 clears the records, as in bytedance's trace-irqoff. */
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
	void *ops;

	directory = proc_mkdir_mode("trace_irqoff", 0500, NULL);
	if (!directory)
		return -ENOMEM;

	/*
	 * A copy of the proc_ops that is never freed, about 100 bytes. Many kernels read them in
	 * proc_reg_open() before they find that the file was removed, when the module may be gone:
	 * 6.8.1 crashed. (7.3 reads flags of the file instead.) Not kmemdup(): memory profiling
	 * counts that memory for this module, and warns at rmmod.
	 */
	ops = kmemdup_nul((const char *)&procfs_ops, sizeof(procfs_ops), GFP_KERNEL);
	if (!ops)
		return -ENOMEM;
	kmemleak_not_leak(ops);

	for (f = files; f < files + ARRAY_SIZE(files); f++)
		if (!proc_create_data(f->name, f->write_max ? 0600 : 0400, directory, ops,
				      (void *)f))
			return -ENOMEM;
	return 0;
}

void procfs_exit(void)
{
	proc_remove(directory);
}
