// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/* Durations, times and names as text, the same in all files. Context: see text.h. */
#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "text.h"

#define LONGEST_NS	(3600ULL * NSEC_PER_SEC)

static const struct {
	const char *name;
	u64 ns;
} units[] = {
	{ "", NSEC_PER_MSEC },
	{ "us", NSEC_PER_USEC },
	{ "ms", NSEC_PER_MSEC },
	{ "s", NSEC_PER_SEC },
};

int text_to_ns(const char *text, u64 *ns)
{
	const char *unit = text + strspn(text, "0123456789");
	u64 unit_ns = 0, value = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(unit, units[i].name))
			unit_ns = units[i].ns;
	if (unit == text || !unit_ns)
		return -EINVAL;

	for (; text < unit; text++) {
		value = 10 * value + *text - '0';
		if (value > LONGEST_NS / unit_ns)
			return -ERANGE;
	}
	*ns = value * unit_ns;
	return 0;
}

void text_show_setting(struct seq_file *m, u64 ns)
{
	if (ns % NSEC_PER_MSEC)
		seq_printf(m, "%lluus", ns / NSEC_PER_USEC);
	else
		seq_printf(m, "%llums", ns / NSEC_PER_MSEC);
}

void text_show_latency(struct seq_file *m, u64 ns, bool up, const char *unit)
{
	u64 unit_ns = ns < 10 * NSEC_PER_MSEC ? NSEC_PER_USEC : NSEC_PER_MSEC;
	u64 value = (ns + (up ? unit_ns - 1 : 0)) / unit_ns;

	if (unit_ns == NSEC_PER_USEC)
		seq_printf(m, "%llu.%03llu%s", value / USEC_PER_MSEC, value % USEC_PER_MSEC, unit);
	else
		seq_printf(m, "%llu%s", value, unit);
}

void text_show_time(struct seq_file *m, u64 real_ns)
{
	struct tm tm;

	time64_to_tm(real_ns / NSEC_PER_SEC, 0, &tm);
	seq_printf(m, "%04ld-%02d-%02dT%02d:%02d:%02d.%06lluZ",
		   tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
		   tm.tm_hour, tm.tm_min, tm.tm_sec, real_ns % NSEC_PER_SEC / NSEC_PER_USEC);
}

void text_show_comm(struct seq_file *m, const char *comm)
{
	/* A program that splits the line at blanks must find a field. */
	if (!*comm)
		seq_puts(m, "\\x00");

	for (; *comm; comm++) {
		unsigned char c = *comm;

		/* Not isprint(), which is true for Latin-1. */
		if (c > ' ' && c < 0x7f && c != '\\')
			seq_putc(m, c);
		else
			seq_printf(m, "\\x%02x", c);
	}
}

const char * const text_softirqs[NR_SOFTIRQS] = {
	[HI_SOFTIRQ] = "HI",
	[TIMER_SOFTIRQ] = "TIMER",
	[NET_TX_SOFTIRQ] = "NET_TX",
	[NET_RX_SOFTIRQ] = "NET_RX",
	[BLOCK_SOFTIRQ] = "BLOCK",
	[IRQ_POLL_SOFTIRQ] = "IRQ_POLL",
	[TASKLET_SOFTIRQ] = "TASKLET",
	[SCHED_SOFTIRQ] = "SCHED",
	[HRTIMER_SOFTIRQ] = "HRTIMER",
	[RCU_SOFTIRQ] = "RCU",
};
