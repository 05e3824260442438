/* SPDX-License-Identifier: GPL-2.0 */
/* Words from people and for people: durations, answers, times, task names. */
#ifndef TRACE_IRQOFF_TEXT_H
#define TRACE_IRQOFF_TEXT_H

#include <linux/types.h>

struct seq_file;

/**
 * text_to_ns() - read a duration: digits, then nothing (ms), us, ms or s
 * @text: is changed
 * @ns: is set on success only
 *
 * Return: -EINVAL when it is no duration, -ERANGE above one hour.
 */
int text_to_ns(char *text, u64 *ns);

/**
 * text_to_bool() - read a yes or no, as kstrtobool() but the whole word
 *
 * Return: -EINVAL when it is neither.
 */
int text_to_bool(const char *text, bool *value);

/** text_show_setting() - print a duration that was set, exactly. */
void text_show_setting(struct seq_file *m, u64 ns);

/**
 * text_show_latency() - print a latency: whole ms, below 10 ms three decimals
 * @m: where to
 * @ns: the latency
 * @up: round up, for an upper bound; else down
 * @unit: "ms", or "+ms" for a latency that is not over
 */
void text_show_latency(struct seq_file *m, u64 ns, bool up, const char *unit);

/** text_show_time() - print a wall clock time, UTC, to the microsecond. */
void text_show_time(struct seq_file *m, u64 real_ns);

/**
 * text_show_comm() - print a task's name so that it cannot pass for more
 *
 * A task chooses its own name. All that is not a printable ASCII character, the
 * space and the backslash become a backslash, x, and two hexadecimal digits.
 */
void text_show_comm(struct seq_file *m, const char *comm);

#endif /* TRACE_IRQOFF_TEXT_H */
