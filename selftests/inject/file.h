/* SPDX-License-Identifier: GPL-2.0 */
/* The files by which a test tells this module what to do. */
#ifndef IRQOFF_INJECT_FILE_H
#define IRQOFF_INJECT_FILE_H

struct seq_file;

/**
 * struct inject_file - one file in /proc, for root
 * @name: in /proc
 * @obey: does what a line says, given without its newline; it may change it. Returns an
 *	errno, which the write then fails with
 * @show: prints what reading it gives
 */
struct inject_file {
	const char *name;
	int (*obey)(char *line);
	int (*show)(struct seq_file *m, void *unused);
};

/** inject_file_create() - Context: process. Return: 0 or an errno. */
int inject_file_create(const struct inject_file *file);

/** inject_file_remove() - waits for the reads and writes that are under way. */
void inject_file_remove(const struct inject_file *file);

#endif /* IRQOFF_INJECT_FILE_H */
