// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The black box: when the kernel panics, prints the newest records and then the windows that are
 * open to the kernel log, as lines of the file records. A pstore may keep only the end of the log:
 * so the longest window comes last, and then why the kernel panicked.
 *
 * Context: panic, which may be in an NMI. The other CPUs have stopped, and may have any lock: this
 * waits for none. So it reads only clocks that an NMI may read.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/moduleparam.h>
#include <linux/notifier.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "compat.h"
#include "record/record.h"
#include "show/files.h"

#define WINDOWS_MAX	64
#define TEXT_MAX	16384
#define PRINTK_MAX	800	/* printk() would cut longer lines: from about 970 on */
/* Older records have nothing to do with the panic. */
#define RECENT_NS	(300 * NSEC_PER_SEC)

static unsigned int panic_windows = 16;
module_param(panic_windows, uint, 0444);
MODULE_PARM_DESC(panic_windows,
		 "When the kernel panics, print at most N windows to its log (default: 16, at most 64; 0: none)");

/* A window that is open, see active_read() */
struct open {
	u64 latency_ns;
	int cpu;
	enum window_kind finder;
};

/* In static memory: the stack of an NMI has no room. */
static struct open opens[WINDOWS_MAX];	/* the shortest first */
static struct record record;
static char text[TEXT_MAX];
static struct seq_file line = { .buf = text, .size = TEXT_MAX };

/* Print @record on as many lines as it takes: "panic:" begins one, "panic+" goes on with it. */
static void blackbox_show(void)
{
	const char *from = text, *begin = "panic: ";
	size_t nr;

	/* When seq_puts() finds no room, it writes no end either. */
	memset(text, 0, sizeof(text));
	line.count = 0;
	print_record_line(&line, &record);
	text[min(line.count, line.size - 1)] = '\0';
	/* The last field may be incomplete. */
	*(seq_has_overflowed(&line) ? strrchr(text, ' ') : strchrnul(text, '\n')) = '\0';
	for (; *from; from += nr) {
		nr = min_t(size_t, strlen(from), PRINTK_MAX);
		/* Blanks at the end of a line may get lost. */
		while (from[nr - 1] == ' ' || from[nr] == ' ')
			nr--;
		pr_err("%s%.*s\n", begin, (int)nr, from);
		begin = "panic+ ";
	}
}

/* Keep the @max longest in @opens. Return: how many there are now, of @nr before. */
static unsigned int blackbox_add(unsigned int nr, unsigned int max, struct open open)
{
	unsigned int i;

	if (nr == max) {
		if (open.latency_ns <= opens[0].latency_ns)
			return nr;
		memmove(opens, opens + 1, --nr * sizeof(*opens));
	}
	for (i = nr; i && opens[i - 1].latency_ns > open.latency_ns; i--)
		opens[i] = opens[i - 1];
	opens[i] = open;
	return nr + 1;
}

static int blackbox_fn(struct notifier_block *block, unsigned long event, void *message)
{
	unsigned int max = min_t(unsigned int, panic_windows, WINDOWS_MAX);
	u64 now = ktime_get_mono_fast_ns();
	unsigned int nr_open = 0, nr_records = 0, i;
	enum window_kind finder;
	u64 first, end, seq;
	int cpu;

	if (!max)
		return NOTIFY_DONE;
#ifdef HAVE_PRINTK_NMI_BUFFER
	/* In an NMI, printk() up to 5.14 drops all but 8 KB: room for the longest window. */
	if (in_nmi())
		max = 1;
#endif
	for_each_possible_cpu(cpu) {
		for (finder = 0; finder < NR_WINDOW_KINDS; finder++) {
			struct open open = { .cpu = cpu, .finder = finder };

			if (!active_read(cpu, finder, now, &record))
				continue;
			open.latency_ns = record.latency_ns;
			nr_open = blackbox_add(nr_open, max, open);
		}
	}
	recorder_range(&first, &end);
	for (seq = end; seq > first && nr_open + nr_records < max; seq--) {
		if (!recorder_read(seq - 1, &record))
			continue;
		if ((s64)(now - record.end_mono_ns) > (s64)RECENT_NS)
			break;
		nr_records++;
	}
	pr_err("panic: windows that have ended: %u, that are open (seq=0): %u\n",
	       nr_records, nr_open);
	for (; nr_records && seq < end; seq++)
		if (recorder_read(seq, &record))
			blackbox_show();
	/* The slot of a record that has ended had other fields, too. */
	memset(&record, 0, sizeof(record));
	for (i = 0; i < nr_open; i++)
		if (active_read(opens[i].cpu, opens[i].finder, now, &record))
			blackbox_show();
	if (nr_records || nr_open)
		pr_err("panic: the reason was: %s\n", (const char *)message);
	return NOTIFY_DONE;
}

static struct notifier_block blackbox = { .notifier_call = blackbox_fn };

void blackbox_init(void)
{
	atomic_notifier_chain_register(&panic_notifier_list, &blackbox);
}

void blackbox_exit(void)
{
	atomic_notifier_chain_unregister(&panic_notifier_list, &blackbox);
}
