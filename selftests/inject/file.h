/* SPDX-License-Identifier: GPL-2.0 */
/* Files in /proc that tests write commands to. */
#ifndef IRQOFF_INJECT_FILE_H
#define IRQOFF_INJECT_FILE_H

struct seq_file;

/**
 * struct inject_file - one file in /proc, for root
 * @name: in /proc
 * @obey: executes one line, without its newline, and may change it. Return: 0, or the errno of the
 *	write
 * @show: prints what a read returns
 * @stop: stops what @obey has started, after the file is removed; may be NULL
 *
 * Context: process.
 */
struct inject_file {
	const char *name;
	int (*obey)(char *line);
	int (*show)(struct seq_file *m, void *unused);
	void (*stop)(void);
};

/** inject_file_create() - Context: process. Return: 0 or -ENOMEM. */
int inject_file_create(const struct inject_file *file);

/** inject_file_remove() - wait until all reads and writes have returned. Context: process. */
void inject_file_remove(const struct inject_file *file);

extern const struct inject_file cost_file;
extern const struct inject_file fail_file;	/* with CONFIG_KPROBES */

#endif /* IRQOFF_INJECT_FILE_H */
