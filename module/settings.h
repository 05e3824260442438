/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* The settings that users write, and the times that are derived from them. */
#ifndef TRACE_IRQOFF_SETTINGS_H
#define TRACE_IRQOFF_SETTINGS_H

#include <linux/cpumask.h>
#include <linux/types.h>

struct seq_file;

/*
 * Written by settings.c only; read by all, in any context. @period_ns and @timer_ns change only
 * while no CPU is monitored; a tick that races with the stop may read new values. The others may
 * change at any time. Read all with READ_ONCE().
 */
struct settings {
	u64 period_ns;		/* sampling period */
	u64 threshold_ns;	/* windows of at least this length are recorded */
	u64 timer_ns;		/* period of our own timers */
	u64 late_ns;		/* a tick that is at least this late takes the slow path */
	u64 check_ns;		/* interval of a watcher while a CPU of its group is busy */
	u64 slow_check_ns;	/* interval while all CPUs of its group are idle */
	bool nosched;		/* look for nosched windows */
};

extern struct settings settings;

/* The functions below: context process, any number of callers. */

/** settings_init() - put the defaults in force. */
void settings_init(void);

/** settings_exit() - disable tracing. */
void settings_exit(void);

bool settings_enabled(void);

/** settings_read_bool() - read 0, 1, no, yes, off, on and so on. Return: 0, or -EINVAL. */
int settings_read_bool(const char *text, bool *value);

/**
 * settings_set() - change one setting
 * @name: enable, sampling_period, threshold, nosched or cpus
 * @text: the value: a word such as 1, yes or off; see text_to_ns(); or a CPU list such as 0-3,8
 *
 * A longer sampling period raises the threshold to at least twice the period.
 *
 * Return: -EINVAL if @text is no value of @name, or is a threshold below twice the period; -ERANGE
 *	for a period that is not between 100 us (or twice the resolution of hrtimers) and 1 s, a
 *	threshold above 1 h, or a CPU that is not possible; -EBUSY for a period or for CPUs while
 *	tracing is enabled, and for any setting while a session is open.
 */
int settings_set(const char *name, const char *text);

/** settings_open_session() - save the settings. Return: 0, or -EBUSY if a session is open. */
int settings_open_session(void);

/** settings_close_session() - restore the settings that were in force at open. */
void settings_close_session(void);

/**
 * settings_set_session() - change settings in a session: all of them, or none
 * @text: NAME=VALUE words, separated by single blanks; is changed
 *
 * Return: as settings_set(), but never -EBUSY.
 */
int settings_set_session(char *text);

/** settings_show_session() - print which process has opened the session, and a newline. */
int settings_show_session(struct seq_file *m, void *v);

/** settings_get_cpus() - copy the mask of CPUs to monitor, online or not. */
void settings_get_cpus(struct cpumask *mask);

/** settings_clear() - clear records and histograms. Return: 0, or -EBUSY if a session is open. */
int settings_clear(void);

#endif /* TRACE_IRQOFF_SETTINGS_H */
