// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * /proc/irqoff_ticker: an hrtimer with an empty callback, to compare the cost of ticks with its
 * cost. "1000" starts it with a period of 1000 us on the CPU of the writer, "off" stops it.
 *
 * Context: ticker_expired() runs in hardirq; all else in process context.
 */
#include <linux/errno.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "compat.h"
#include "file.h"

#define PERIOD_MIN_US	100
#define PERIOD_MAX_US	USEC_PER_SEC

static DEFINE_MUTEX(ticker_mutex);	/* held to start, to stop and to read */
static struct hrtimer timer;
static u64 period_ns;	/* changes only while the timer is off */
static u64 first_ns;	/* 0: the timer is not set up */

/* No counter here: ticker_show() computes the number of expiries from the time of the next one. */
static enum hrtimer_restart ticker_expired(struct hrtimer *hrtimer)
{
	hrtimer_forward_now(hrtimer, ns_to_ktime(period_ns));
	return HRTIMER_RESTART;
}

static void ticker_stop(void)
{
	if (first_ns)
		hrtimer_cancel(&timer);
}

static int ticker_obey(char *line)
{
	unsigned int period_us;
	int ret = 0;

	if (strcmp(line, "off")) {
		ret = kstrtouint(line, 10, &period_us);
		if (!ret && (period_us < PERIOD_MIN_US || period_us > PERIOD_MAX_US))
			ret = -ERANGE;
		if (ret)
			return ret;
	}

	mutex_lock(&ticker_mutex);
	ticker_stop();
	if (strcmp(line, "off")) {
		compat_hrtimer_setup(&timer, ticker_expired, CLOCK_MONOTONIC,
				     HRTIMER_MODE_ABS_PINNED_HARD);
		period_ns = (u64)period_us * NSEC_PER_USEC;
		first_ns = ktime_get_ns() + period_ns;
		hrtimer_start(&timer, ns_to_ktime(first_ns), HRTIMER_MODE_ABS_PINNED_HARD);
	}
	mutex_unlock(&ticker_mutex);
	return 0;
}

/* The number of expiries since the start. */
static int ticker_show(struct seq_file *m, void *unused)
{
	u64 next_ns;

	mutex_lock(&ticker_mutex);
	next_ns = ktime_to_ns(hrtimer_get_expires(&timer));
	seq_printf(m, "%llu\n", first_ns ? div64_u64(next_ns - first_ns, period_ns) : 0);
	mutex_unlock(&ticker_mutex);
	return 0;
}

const struct inject_file ticker_file = {
	.name = "irqoff_ticker",
	.obey = ticker_obey,
	.show = ticker_show,
	.stop = ticker_stop,
};
