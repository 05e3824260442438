// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Reads and checks the settings that users write; control.c puts them in force. While a session is
 * open, only the session can change settings. The end of the session restores them.
 *
 * Context: process.
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
#include <linux/sysfs.h>

#include "compat.h"
#include "control.h"
#include "record/histogram.h"
#include "record/recorder.h"
#include "settings.h"
#include "text.h"

#define PERIOD_DEFAULT_NS	(10 * NSEC_PER_MSEC)
#define THRESHOLD_DEFAULT_NS	(50 * NSEC_PER_MSEC)
#define PERIOD_MIN_NS		(100 * NSEC_PER_USEC)
#define PERIOD_MAX_NS		NSEC_PER_SEC

/* Protects the variables below, and serializes the calls of control_apply(). */
static DEFINE_MUTEX(settings_mutex);
static struct user_settings in_force;
static struct user_settings wanted;		/* what a write asks for */
static struct user_settings before_session;
static struct pid *session_pid;			/* opened the session; NULL: none is open */
static char session_comm[TASK_COMM_LEN];

bool settings_enabled(void)
{
	/* Without the mutex: see settings_emit_cpus(). */
	return data_race(in_force.enable);
}

static void put_in_force(const struct user_settings *to)
{
	control_apply(&in_force, to);
	in_force = *to;
}

static int read_bool(const char *text, bool *value)
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

static int read_enable(const char *text)
{
	return read_bool(text, &wanted.enable);
}

static int read_nosched(const char *text)
{
	return read_bool(text, &wanted.nosched);
}

static int read_period(const char *text)
{
	u64 min_ns = max_t(u64, PERIOD_MIN_NS, 2 * hrtimer_resolution);
	int ret = text_to_ns(text, &wanted.period_ns);

	if (!ret && (wanted.period_ns < min_ns || wanted.period_ns > PERIOD_MAX_NS))
		ret = -ERANGE;
	return ret;
}

static int read_threshold(const char *text)
{
	int ret = text_to_ns(text, &wanted.threshold_ns);

	return ret ?: wanted.threshold_ns ? 0 : -EINVAL;
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

/*
 * @read: reads the value of @name into @wanted
 * @stopped: a write to its own file fails while tracing is enabled; a session restarts tracing
 */
static const struct settings_key {
	const char *name;
	int (*read)(const char *text);
	bool stopped;
} keys[] = {
	{ "enable", read_enable },
	{ "sampling_period", read_period, true },
	{ "threshold", read_threshold },
	{ "nosched", read_nosched },
	{ "cpus", read_cpus, true },
};

static const struct settings_key *find_key(const char *name)
{
	const struct settings_key *key;

	for (key = keys; key < keys + ARRAY_SIZE(keys); key++)
		if (!strcmp(key->name, name))
			return key;
	return NULL;
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
	const struct settings_key *key = find_key(name);
	int ret;

	mutex_lock(&settings_mutex);
	want_in_force();
	ret = key->read(text);
	if (!ret && (session_pid || (key->stopped && in_force.enable)))
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
	const struct settings_key *key;
	char *word, *name;
	int ret = 0;

	mutex_lock(&settings_mutex);
	want_in_force();
	while (!ret && (word = strsep(&text, " "))) {
		name = strsep(&word, "=");
		key = word ? find_key(name) : NULL;
		ret = key ? key->read(word) : -EINVAL;
	}
	ret = ret ?: apply_wanted();
	mutex_unlock(&settings_mutex);
	return ret;
}

void settings_show_session(struct seq_file *m)
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
}

void settings_get_cpus(struct cpumask *mask)
{
	mutex_lock(&settings_mutex);
	cpumask_copy(mask, &in_force.cpus);
	mutex_unlock(&settings_mutex);
}

int settings_emit_cpus(char *page)
{
	/*
	 * Does not take the mutex, and may read half of a change. sysfs holds our param_lock here.
	 * control_apply() takes the param_lock of another module (nmi_x86.c) inside the mutex:
	 * lockdep would report the two orders as a deadlock.
	 */
	return data_race(sysfs_emit(page, "%*pbl\n", cpumask_pr_args(&in_force.cpus)));
}

int settings_clear(void)
{
	int ret = 0;

	mutex_lock(&settings_mutex);
	if (session_pid) {
		ret = -EBUSY;
	} else {
		recorder_clear();
		histogram_clear();
	}
	mutex_unlock(&settings_mutex);
	return ret;
}

/* CPUs that are in neither nohz_full= nor isolcpus=; if there are none, those not in nohz_full=. */
static void choose_cpus(void)
{
	const struct cpumask *domain;
	struct cpumask *cpus = &wanted.cpus;

	cpumask_and(cpus, housekeeping_cpumask(COMPAT_HK_TIMER), cpu_possible_mask);

	/* 7.0: the kernel may replace the mask, and frees it after an RCU grace period. */
	rcu_read_lock();
	domain = housekeeping_cpumask(COMPAT_HK_DOMAIN);
	if (cpumask_intersects(cpus, domain))
		cpumask_and(cpus, cpus, domain);
	rcu_read_unlock();
}

void settings_init(void)
{
	choose_cpus();
	wanted.period_ns = PERIOD_DEFAULT_NS;
	wanted.threshold_ns = THRESHOLD_DEFAULT_NS;
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
