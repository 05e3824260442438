// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Reads and prints durations, times and task names, the same way in all files and parameters.
 *
 * Context: process.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "text.h"

#define LONGEST_NS	(3600ULL * NSEC_PER_SEC)	/* one hour */

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
	size_t digits = strspn(text, "0123456789");
	char number[40];	/* longer numbers are refused */
	u64 unit_ns = 0, value;
	int i, ret;

	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(text + digits, units[i].name))
			unit_ns = units[i].ns;
	if (!digits || !unit_ns)
		return -EINVAL;
	if (digits >= sizeof(number))
		return -ERANGE;

	strscpy(number, text, digits + 1);
	ret = kstrtou64(number, 10, &value);
	if (ret)
		return ret;
	if (value > div64_u64(LONGEST_NS, unit_ns))
		return -ERANGE;

	*ns = value * unit_ns;
	return 0;
}

void text_show_setting(struct seq_file *m, u64 ns)
{
	u64 us = div_u64(ns, NSEC_PER_USEC);
	u32 rest_us;
	u64 ms = div_u64_rem(us, USEC_PER_MSEC, &rest_us);

	if (rest_us)
		seq_printf(m, "%lluus", us);
	else
		seq_printf(m, "%llums", ms);
}

void text_show_latency(struct seq_file *m, u64 ns, bool up, const char *unit)
{
	u32 rest_us;
	u64 ms, us;

	if (ns < 10 * NSEC_PER_MSEC) {
		us = div_u64(ns + (up ? NSEC_PER_USEC - 1 : 0), NSEC_PER_USEC);
		ms = div_u64_rem(us, USEC_PER_MSEC, &rest_us);
		seq_printf(m, "%llu.%03u%s", ms, rest_us, unit);
	} else {
		ms = div_u64(ns + (up ? NSEC_PER_MSEC - 1 : 0), NSEC_PER_MSEC);
		seq_printf(m, "%llu%s", ms, unit);
	}
}

void text_show_time(struct seq_file *m, u64 real_ns)
{
	struct tm tm;
	u32 rest_ns;

	time64_to_tm(div_u64_rem(real_ns, NSEC_PER_SEC, &rest_ns), 0, &tm);
	seq_printf(m, "%04ld-%02d-%02dT%02d:%02d:%02d.%06luZ",
		   tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
		   tm.tm_hour, tm.tm_min, tm.tm_sec, rest_ns / NSEC_PER_USEC);
}

void text_show_comm(struct seq_file *m, const char *comm)
{
	/* Not an empty field: programs split lines at blanks. */
	if (!*comm)
		seq_puts(m, "\\x00");

	for (; *comm; comm++) {
		unsigned char c = *comm;

		/* isprint() is true for Latin-1. */
		if (c > ' ' && c < 0x7f && c != '\\')
			seq_putc(m, c);
		else
			seq_printf(m, "\\x%02x", c);
	}
}
