// SPDX-License-Identifier: GPL-2.0
/*
 * Files in /proc that tests write commands to: one line a write, and a few lines to read.
 *
 * Context: process.
 */
#include <linux/errno.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "file.h"

#define FILE_LINE_SIZE		64	/* longer than any valid line */

static ssize_t inject_file_write(struct file *file, const char __user *buf,
				 size_t count, loff_t *ppos)
{
	const struct inject_file *f = compat_pde_data(file_inode(file));
	char line[FILE_LINE_SIZE];
	int ret;

	if (!count || count >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, buf, count))
		return -EFAULT;
	line[count] = '\0';
	if (strlen(line) != count)
		return -EINVAL;
	if (line[count - 1] == '\n')
		line[count - 1] = '\0';

	ret = f->obey(line);
	return ret ? ret : count;
}

static int inject_file_open(struct inode *inode, struct file *file)
{
	const struct inject_file *f = compat_pde_data(inode);

	return single_open(file, f->show, NULL);
}

static const struct proc_ops inject_file_ops = {
	.proc_open	= inject_file_open,
	.proc_read	= seq_read,
	.proc_lseek	= seq_lseek,
	.proc_release	= single_release,
	.proc_write	= inject_file_write,
};

int inject_file_create(const struct inject_file *file)
{
	return proc_create_data(file->name, 0600, NULL, &inject_file_ops,
				(void *)file) ? 0 : -ENOMEM;
}

void inject_file_remove(const struct inject_file *file)
{
	remove_proc_entry(file->name, NULL);
	if (file->stop)
		file->stop();
}
