// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Reads and checks the settings that users write, and puts them in force. While a session is open,
 * only the session can change settings. The end of the session restores them.
 *
 * No function waits for a CPU, except for a timer callback that the CPU is running right now:
 * enabling sends asynchronous IPIs, and disabling cancels the timers from this CPU. CPU hotplug may
 * run meanwhile, and takes no lock of ours: a CPU that comes online reads whether it is monitored
 * (cpus.c). Context: process.
 */
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "compat.h"
#include "cpus.h"
#include "detect/nmi.h"
#include "record/histogram.h"
#include "record/record.h"
#include "settings.h"
#include "text.h"

#define PERIOD_MIN_NS		(100 * NSEC_PER_USEC)
#define PERIOD_MAX_NS		NSEC_PER_SEC

/* Limits of the members of struct settings. */
#define TIMER_MAX_NS		(10 * NSEC_PER_MSEC)
#define LATE_MAX_NS		(500 * NSEC_PER_USEC)
#define CHECK_MIN_NS		NSEC_PER_MSEC
#define CHECK_MAX_NS		(12 * NSEC_PER_MSEC)
#define SLOW_CHECK_MIN_NS	(50 * NSEC_PER_MSEC)
#define SLOW_CHECK_MAX_NS	(500 * NSEC_PER_MSEC)

/* What a user can set. */
struct user_settings {
	bool enable;
	u64 period_ns;
	u64 threshold_ns;	/* at least twice the period */
	bool nosched;
	struct cpumask cpus;	/* to monitor, online or not */
};

struct settings settings __read_mostly;

/* Protects the variables below, and serializes the calls of put_in_force(). */
static DEFINE_MUTEX(settings_mutex);
static struct user_settings in_force;
static struct user_settings wanted;		/* what a write asks for */
static struct user_settings before_session;
static struct pid *session_pid;			/* opened the session; NULL: none is open */
static char session_comm[TASK_COMM_LEN];

bool settings_enabled(void)
{
	/* Without the mutex, which a write may hold for a while: the state before or after it. */
	return data_race(in_force.enable);
}

/* Tracing stops while the period, the CPUs or @nosched change. */
static void put_in_force(const struct user_settings *to)
{
	bool new_period = to->period_ns != in_force.period_ns;
	bool restart = new_period || to->nosched != in_force.nosched ||
		       !cpumask_equal(&to->cpus, &in_force.cpus);
	int cpu;

	if (in_force.enable && (restart || !to->enable)) {
		for_each_cpu(cpu, &in_force.cpus)
			cpus_stop(cpu);
		if (COUNTER_SUPPORTED)
			counter_enable(cpu_none_mask);
	}
	if (to->enable != in_force.enable)
		nmi_enable(to->enable);
	WRITE_ONCE(settings.period_ns, to->period_ns);
	WRITE_ONCE(settings.timer_ns, min_t(u64, to->period_ns, TIMER_MAX_NS));
	WRITE_ONCE(settings.threshold_ns, to->threshold_ns);
	WRITE_ONCE(settings.late_ns, min_t(u64, to->threshold_ns, LATE_MAX_NS));
	WRITE_ONCE(settings.check_ns,
		   clamp_t(u64, to->threshold_ns / 4, CHECK_MIN_NS, CHECK_MAX_NS));
	WRITE_ONCE(settings.slow_check_ns,
		   clamp_t(u64, to->threshold_ns, SLOW_CHECK_MIN_NS, SLOW_CHECK_MAX_NS));
	WRITE_ONCE(settings.nosched, to->nosched);
	/* distribute counts in periods. */
	if (new_period)
		histogram_clear();
	if (to->enable && (restart || !in_force.enable)) {
		if (COUNTER_SUPPORTED)
			counter_enable(&to->cpus);
		for_each_cpu(cpu, &to->cpus)
			cpus_start(cpu);
	}
	in_force = *to;
}

int settings_read_bool(const char *text, bool *value)
{
	/* kstrtobool() would accept any word that begins like one of these. */
	static const char * const words[] = {
		"0", "1", "n", "y", "no", "yes", "off", "on", "f", "t", "false", "true",
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcasecmp(text, words[i])) {
			*value = i & 1;
			return 0;
		}
	return -EINVAL;
}

static int read_period(const char *text)
{
	u64 min_ns = max_t(u64, PERIOD_MIN_NS, 2 * hrtimer_resolution);
	int ret = text_to_ns(text, &wanted.period_ns);

	if (!ret && (wanted.period_ns < min_ns || wanted.period_ns > PERIOD_MAX_NS))
		ret = -ERANGE;
	return ret;
}

static int read_cpus(const char *list)
{
	/* cpulist_parse() ignores what follows a newline. */
	int ret = strchr(list, '\n') ? -EINVAL : cpulist_parse(list, &wanted.cpus);

	if (!ret && cpumask_empty(&wanted.cpus))
		ret = -EINVAL;
	if (ret == -EOVERFLOW || (!ret && !cpumask_subset(&wanted.cpus, cpu_possible_mask)))
		ret = -ERANGE;
	return ret;
}

/* Read the value of one setting into @wanted. */
static int read_setting(const char *name, const char *text)
{
	if (!strcmp(name, "enable"))
		return settings_read_bool(text, &wanted.enable);
	if (!strcmp(name, "nosched"))
		return settings_read_bool(text, &wanted.nosched);
	if (!strcmp(name, "sampling_period"))
		return read_period(text);
	if (!strcmp(name, "threshold"))
		return text_to_ns(text, &wanted.threshold_ns) ?:
		       wanted.threshold_ns ? 0 : -EINVAL;
	if (!strcmp(name, "cpus"))
		return read_cpus(text);
	return -EINVAL;
}

/* A threshold of 0 in @wanted: the write gave none. apply_wanted() fills it in. */
static void want_in_force(void)
{
	wanted = in_force;
	wanted.threshold_ns = 0;
}

static int apply_wanted(void)
{
	u64 min_ns = 2 * wanted.period_ns;

	if (!wanted.threshold_ns)
		wanted.threshold_ns = max(in_force.threshold_ns, min_ns);
	if (wanted.threshold_ns < min_ns)
		return -EINVAL;
	put_in_force(&wanted);
	return 0;
}

int settings_set(const char *name, const char *text)
{
	/* A change of these restarts tracing, which only a session does. */
	bool restarts = !strcmp(name, "sampling_period") || !strcmp(name, "cpus");
	int ret;

	mutex_lock(&settings_mutex);
	want_in_force();
	ret = read_setting(name, text);
	if (!ret && (session_pid || (restarts && in_force.enable)))
		ret = -EBUSY;
	ret = ret ?: apply_wanted();
	mutex_unlock(&settings_mutex);
	return ret;
}

int settings_open_session(void)
{
	int ret = -EBUSY;

	mutex_lock(&settings_mutex);
	if (!session_pid) {
		session_pid = get_pid(task_tgid(current));
		get_task_comm(session_comm, current);
		before_session = in_force;
		ret = 0;
	}
	mutex_unlock(&settings_mutex);
	return ret;
}

void settings_close_session(void)
{
	mutex_lock(&settings_mutex);
	put_in_force(&before_session);
	put_pid(session_pid);
	session_pid = NULL;
	mutex_unlock(&settings_mutex);
}

int settings_set_session(char *text)
{
	char *word, *name;
	int ret = 0;

	mutex_lock(&settings_mutex);
	want_in_force();
	while (!ret && (word = strsep(&text, " "))) {
		name = strsep(&word, "=");
		ret = word ? read_setting(name, word) : -EINVAL;
	}
	ret = ret ?: apply_wanted();
	mutex_unlock(&settings_mutex);
	return ret;
}

int settings_show_session(struct seq_file *m, void *v)
{
	pid_t pid;

	mutex_lock(&settings_mutex);
	if (session_pid) {
		/*
		 * If the process has ended, a child has inherited the file, and the PID may belong
		 * to another process. 0 also if the reader's PID namespace has no PID for it.
		 */
		rcu_read_lock();
		pid = pid_task(session_pid, PIDTYPE_TGID) ? pid_vnr(session_pid) : 0;
		rcu_read_unlock();
		seq_printf(m, "%d (", pid);
		text_show_comm(m, session_comm);
		seq_puts(m, ")\n");
	} else {
		seq_puts(m, "none\n");
	}
	mutex_unlock(&settings_mutex);
	return 0;
}

void settings_get_cpus(struct cpumask *mask)
{
	mutex_lock(&settings_mutex);
	cpumask_copy(mask, &in_force.cpus);
	mutex_unlock(&settings_mutex);
}

int settings_clear(void)
{
	int ret = -EBUSY;

	mutex_lock(&settings_mutex);
	if (!session_pid) {
		recorder_clear();
		histogram_clear();
		ret = 0;
	}
	mutex_unlock(&settings_mutex);
	return ret;
}

void settings_init(void)
{
	struct cpumask *cpus = &wanted.cpus;
	const struct cpumask *domain;

	/* CPUs that are in neither nohz_full= nor isolcpus=; or else those not in nohz_full=. */
	cpumask_and(cpus, housekeeping_cpumask(COMPAT_HK_TIMER), cpu_possible_mask);
	/* 7.0: the kernel may replace the mask, and frees it after an RCU grace period. */
	rcu_read_lock();
	domain = housekeeping_cpumask(COMPAT_HK_DOMAIN);
	if (cpumask_intersects(cpus, domain))
		cpumask_and(cpus, cpus, domain);
	rcu_read_unlock();

	wanted.period_ns = 10 * NSEC_PER_MSEC;
	wanted.threshold_ns = 50 * NSEC_PER_MSEC;
	wanted.nosched = true;
	put_in_force(&wanted);
}

void settings_exit(void)
{
	mutex_lock(&settings_mutex);
	wanted = in_force;
	wanted.enable = false;
	put_in_force(&wanted);
	mutex_unlock(&settings_mutex);
}
