/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* The files in /proc/trace_irqoff, and what they show. Context: process. */
#ifndef TRACE_IRQOFF_FILES_H
#define TRACE_IRQOFF_FILES_H

#include <linux/kallsyms.h>
#include <linux/seq_file.h>

#include "record/sample.h"

struct record;

/** procfs_init() - create the files. Return: 0, or -ENOMEM; then, some files may exist. */
int procfs_init(void);

/** procfs_exit() - remove the files, if any, even open ones. Waits for reads and writes. */
void procfs_exit(void);

int status_show(struct seq_file *m, void *v);
int tables_show_distribute(struct seq_file *m, void *v);
int tables_open_histogram(struct file *file);
int handlers_open(struct file *file);
int report_open_trace_latency(struct file *file);
void report_close_trace_latency(struct seq_file *m);
int report_open_records(struct file *file);

/** report_has_records() - Return: whether a read of records would return something. */
bool report_has_records(struct seq_file *m);

/** report_skip_records() - let reads begin after the record of this number. Return: 0 or -errno. */
int report_skip_records(struct seq_file *m, const char *text);

int active_open(struct file *file);

/**
 * active_read() - make a record of a window that is open and has reached the threshold
 * @finder: whose window: WINDOW_HARDIRQ: of the checks; else of softirqs.c or nosched.c
 * @now: CLOCK_MONOTONIC
 * @record: fields that no open window has stay as they are
 *
 * Context: process or panic. Return: false if none is open, or if a sample is being taken.
 */
bool active_read(int cpu, enum window_kind finder, u64 now, struct record *record);

/** active_has_changed() - Return: whether open windows have changed since active was read. */
bool active_has_changed(struct seq_file *m);

/* seq_operations of files whose position is a CPU. Any file can have print_stop(). */
void *print_start_cpu(struct seq_file *m, loff_t *pos);
void *print_next_cpu(struct seq_file *m, void *v, loff_t *pos);
void print_stop(struct seq_file *m, void *v);

/** symbols_init() - from now on remember modules that go. Return: 0, or an error. */
int symbols_init(void);
void symbols_exit(void);

/**
 * symbols_lock() - from here to symbols_unlock(), symbols may be printed
 *
 * The functions below, up to symbols_find_lock(), take this lock for granted: their names are in
 * static memory, as an NMI's stack has no room for them. A panic, which may come in an NMI, calls
 * them without the lock: all other CPUs have stopped. Context: process.
 */
void symbols_lock(void);
void symbols_unlock(void);

/** symbols_show() - print a stack, innermost first: a frame on each line, after five blanks. */
void symbols_show(struct seq_file *m, const struct sample *sample);

/**
 * symbols_show_folded() - print a stack as one word, outermost first
 *
 * Frames are joined by semicolons: function, function[module], or [module] if the module has gone.
 * A minus sign if there is no stack.
 */
void symbols_show_folded(struct seq_file *m, const struct sample *sample);

/**
 * symbols_find() - find the function of frame @i
 *
 * Return: its address; 0: the frame has no symbol, its code is gone, or is the cold part of a
 * function, whose other code is elsewhere.
 */
unsigned long symbols_find(const struct sample *sample, unsigned int i);

/** symbols_is_stale() - Return: whether stack_walk() has inserted frame 1, and it is no caller. */
bool symbols_is_stale(const struct sample *sample);

/** symbols_position() - Return: position of frame @i in a printed stack; 1 is the outermost. */
unsigned int symbols_position(const struct sample *sample, unsigned int i);

/** went_on_show() - print which function went on between samples @i - 1 and @i. */
void went_on_show(struct seq_file *m, const struct sample *samples, unsigned int i);

/**
 * symbols_find_lock() - name the lock for which a sample waits
 * @name: gets the symbol of the lock, with its module; or #N, which is the lock's since load
 *
 * Return: whether the sample waits for a lock that is known.
 */
bool symbols_find_lock(const struct sample *sample, char name[KSYM_SYMBOL_LEN]);

/** print_kind() - Return: the name of a kind of window. */
const char *print_kind(enum window_kind kind);

/** print_record() - for people, in blocks of lines: trace_latency. */
void print_record(struct seq_file *m, const struct record *record);

/** print_record_line() - for programs, as key=value on one line: records, active. */
void print_record_line(struct seq_file *m, const struct record *record);

/** blackbox_init() - from now on print windows when the kernel panics. Context: process. */
void blackbox_init(void);
void blackbox_exit(void);

#endif /* TRACE_IRQOFF_FILES_H */
