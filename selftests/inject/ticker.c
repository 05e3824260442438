// SPDX-License-Identifier: GPL-2.0
/*
 * Timers that do nothing but tick
 *
 * What a tick of a tracer costs means little by itself: to take a timer interrupt at
 * all costs a good part of it. So there are timers with nothing in them to compare
 * with:
 *
 *	echo "hard 1000" > /proc/irqoff_ticker
 *
 * has an hrtimer tick in hardirq context each 1000 us, on the CPU that the writer is
 * on. With "pair" there is a second one in softirq context, and "off" stops them.
 * Reading the file tells how often they have ticked since they were started, and, for
 * what they cost a CPU that is idle, the time and the kernel's account of how long the
 * reader's CPU has been idle.
 *
 * They tick at whole multiples of their period on CLOCK_MONOTONIC, as those of
 * trace_irqoff on its first CPU do: how many timers share an interrupt, the kernel's
 * own tick among them, has a say in what each costs.
 *
 * Context: ticker_tick() runs in hardirq or softirq; all else in process context.
 */

#include <linux/errno.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/kernel_stat.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/tick.h>
#include <linux/timekeeping.h>

#include "../../module/compat.h"
#include "file.h"
#include "ticker.h"

#define TICKER_MIN_US		100
#define TICKER_MAX_US		USEC_PER_SEC

/* Held to start, to stop and to read. */
static DEFINE_MUTEX(ticker_mutex);

static struct hrtimer ticker_hard;
static struct hrtimer ticker_soft;

/* Change only while neither timer runs. */
static u64 ticker_period_ns;
static u64 ticker_first_ns;	/* 0: has never been started */
static bool ticker_pair;

/* Of both. It does not even count: that can be told from when it is due next. */
static enum hrtimer_restart ticker_tick(struct hrtimer *timer)
{
	hrtimer_forward_now(timer, ns_to_ktime(ticker_period_ns));
	return HRTIMER_RESTART;
}

static void ticker_stop(void)
{
	hrtimer_cancel(&ticker_hard);
	hrtimer_cancel(&ticker_soft);
}

static void ticker_start(u64 period_ns, bool pair)
{
	u64 now, into_ns;

	ticker_stop();
	ticker_period_ns = period_ns;
	ticker_pair = pair;

	/* Both on this CPU. */
	preempt_disable();
	now = ktime_get_ns();
	div64_u64_rem(now, period_ns, &into_ns);
	ticker_first_ns = now - into_ns + period_ns;
	hrtimer_start(&ticker_hard, ns_to_ktime(ticker_first_ns),
		      HRTIMER_MODE_ABS_PINNED_HARD);
	if (pair)
		hrtimer_start(&ticker_soft, ns_to_ktime(ticker_first_ns),
			      HRTIMER_MODE_ABS_PINNED_SOFT);
	preempt_enable();
}

/* "hard PERIOD", "pair PERIOD" or "off". Takes the line apart. */
static int ticker_obey_locked(char *line)
{
	const char *word = strsep(&line, " ");
	const char *number = line;
	bool pair = !strcmp(word, "pair");
	unsigned int period_us;
	int ret;

	if (!number && !strcmp(word, "off")) {
		ticker_stop();
		return 0;
	}

	if (!number || (!pair && strcmp(word, "hard")))
		return -EINVAL;
	ret = kstrtouint(number, 10, &period_us);
	if (ret)
		return ret;
	if (period_us < TICKER_MIN_US || period_us > TICKER_MAX_US)
		return -ERANGE;

	ticker_start((u64)period_us * NSEC_PER_USEC, pair);
	return 0;
}

static int ticker_obey(char *line)
{
	int ret;

	mutex_lock(&ticker_mutex);
	ret = ticker_obey_locked(line);
	mutex_unlock(&ticker_mutex);
	return ret;
}

static u64 ticker_count(const struct hrtimer *timer)
{
	u64 next_ns = ktime_to_ns(hrtimer_get_expires(timer));

	return div64_u64(next_ns - ticker_first_ns, ticker_period_ns);
}

static int ticker_show(struct seq_file *m, void *unused)
{
	int cpu = raw_smp_processor_id();

	mutex_lock(&ticker_mutex);
	seq_printf(m, "hard=%llu soft=%llu now_ns=%llu idle_us=%llu\n",
		   ticker_first_ns ? ticker_count(&ticker_hard) : 0,
		   ticker_pair ? ticker_count(&ticker_soft) : 0,
		   ktime_get_ns(),
		   get_cpu_idle_time_us(cpu, NULL) +
		   get_cpu_iowait_time_us(cpu, NULL));
	mutex_unlock(&ticker_mutex);
	return 0;
}

static const struct inject_file ticker_file = {
	.name = "irqoff_ticker",
	.obey = ticker_obey,
	.show = ticker_show,
};

int ticker_init(void)
{
	compat_hrtimer_setup(&ticker_hard, ticker_tick, CLOCK_MONOTONIC,
			     HRTIMER_MODE_ABS_PINNED_HARD);
	compat_hrtimer_setup(&ticker_soft, ticker_tick, CLOCK_MONOTONIC,
			     HRTIMER_MODE_ABS_PINNED_SOFT);
	return inject_file_create(&ticker_file);
}

void ticker_exit(void)
{
	inject_file_remove(&ticker_file);
	ticker_stop();
}
