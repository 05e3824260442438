// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Enables and disables tracing, and writes the settings. No function waits for a CPU that has
 * interrupts off: enabling sends asynchronous IPIs, and disabling cancels the timers from this CPU.
 * CPU hotplug may run meanwhile, and does not take control_mutex: a CPU that comes online reads
 * whether it is monitored (cpus.c). Context: process.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "compat.h"
#include "control.h"
#include "cpus.h"
#include "detect/counter.h"
#include "detect/nmi.h"
#include "detect/watch.h"
#include "record/histogram.h"
#include "record/recorder.h"
#include "settings.h"
#include "text.h"

#define PERIOD_DEFAULT_NS	(10 * NSEC_PER_MSEC)
#define THRESHOLD_DEFAULT_NS	(50 * NSEC_PER_MSEC)
#define PERIOD_MIN_NS		(100 * NSEC_PER_USEC)
#define PERIOD_MAX_NS		NSEC_PER_SEC

/* Limits of the members of struct settings. */
#define TIMER_MAX_NS		(10 * NSEC_PER_MSEC)
#define LATE_MAX_NS		(500 * NSEC_PER_USEC)
#define CHECK_MAX_NS		(12 * NSEC_PER_MSEC)
#define SLOW_CHECK_MIN_NS	(50 * NSEC_PER_MSEC)
#define SLOW_CHECK_MAX_NS	(500 * NSEC_PER_MSEC)

struct settings settings;

/* Protects the variables below, and writes to the settings. */
static DEFINE_MUTEX(control_mutex);
static bool enabled;
static struct cpumask monitored;
static enum cpuhp_state hotplug_state;

bool control_enabled(void)
{
	return READ_ONCE(enabled);
}

void control_enable(bool enable)
{
	int cpu;

	mutex_lock(&control_mutex);
	if (enable && !enabled) {
		counter_enable(&monitored);
		nmi_enable(true);
		watch_enable();
		for_each_cpu(cpu, &monitored)
			cpus_start(cpu);
	} else if (!enable && enabled) {
		for_each_cpu(cpu, &monitored)
			cpus_stop(cpu);
		counter_enable(cpu_none_mask);
		nmi_enable(false);
	}
	WRITE_ONCE(enabled, enable);
	mutex_unlock(&control_mutex);
}

static void set_threshold(u64 threshold_ns)
{
	WRITE_ONCE(settings.threshold_ns, threshold_ns);
	WRITE_ONCE(settings.late_ns, min_t(u64, threshold_ns, LATE_MAX_NS));
	WRITE_ONCE(settings.check_ns, min_t(u64, CHECK_MAX_NS, threshold_ns / 4));
	WRITE_ONCE(settings.slow_check_ns,
		   clamp_t(u64, threshold_ns, SLOW_CHECK_MIN_NS, SLOW_CHECK_MAX_NS));
}

static void set_period(u64 period_ns)
{
	if (period_ns != settings.period_ns) {
		WRITE_ONCE(settings.period_ns, period_ns);
		histogram_clear();
	}
	WRITE_ONCE(settings.timer_ns, min_t(u64, period_ns, TIMER_MAX_NS));
	settings.off_ns = min_t(u64, settings.timer_ns, TICK_NSEC) / 2;
}

int control_set_period(const char *text)
{
	u64 min_ns = max_t(u64, PERIOD_MIN_NS, 2 * hrtimer_resolution), period_ns;
	int ret = text_to_ns(text, &period_ns);

	if (ret)
		return ret;
	if (period_ns < min_ns || period_ns > PERIOD_MAX_NS)
		return -ERANGE;

	mutex_lock(&control_mutex);
	if (enabled) {
		ret = -EBUSY;
	} else {
		if (settings.threshold_ns < 2 * period_ns)
			set_threshold(2 * period_ns);
		set_period(period_ns);
	}
	mutex_unlock(&control_mutex);
	return ret;
}

int control_set_threshold(const char *text)
{
	u64 threshold_ns;
	int ret = text_to_ns(text, &threshold_ns);

	if (ret)
		return ret;

	mutex_lock(&control_mutex);
	if (threshold_ns < 2 * settings.period_ns)
		ret = -EINVAL;
	else
		set_threshold(threshold_ns);
	mutex_unlock(&control_mutex);
	return ret;
}

int control_set_cpus(const char *list)
{
	cpumask_var_t mask;
	int ret;

	if (!alloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;
	/* cpulist_parse() ignores what follows a newline. */
	ret = strchr(list, '\n') ? -EINVAL : cpulist_parse(list, mask);
	if (!ret && cpumask_empty(mask))
		ret = -EINVAL;
	if (ret == -EOVERFLOW || (!ret && !cpumask_subset(mask, cpu_possible_mask)))
		ret = -ERANGE;

	mutex_lock(&control_mutex);
	if (!ret && enabled)
		ret = -EBUSY;
	if (!ret)
		cpumask_copy(&monitored, mask);
	mutex_unlock(&control_mutex);
	free_cpumask_var(mask);
	return ret;
}

void control_get_cpus(struct cpumask *mask)
{
	mutex_lock(&control_mutex);
	cpumask_copy(mask, &monitored);
	mutex_unlock(&control_mutex);
}

int control_emit_cpus(char *page)
{
	/*
	 * Does not take the mutex, and may read half of a change. sysfs holds our param_lock here.
	 * control_enable() takes the param_lock of another module (nmi_x86.c) inside the mutex:
	 * lockdep would report the two orders as a deadlock.
	 */
	return data_race(sysfs_emit(page, "%*pbl\n", cpumask_pr_args(&monitored)));
}

void control_clear(void)
{
	mutex_lock(&control_mutex);
	recorder_clear();
	histogram_clear();
	mutex_unlock(&control_mutex);
}

/* CPUs that are in neither nohz_full= nor isolcpus=; if there are none, those not in nohz_full=. */
static void choose_cpus(void)
{
	const struct cpumask *domain;

	cpumask_and(&monitored, housekeeping_cpumask(COMPAT_HK_TIMER), cpu_possible_mask);

	/* 7.0: the kernel may replace the mask, and frees it after an RCU grace period. */
	rcu_read_lock();
	domain = housekeeping_cpumask(COMPAT_HK_DOMAIN);
	if (cpumask_intersects(&monitored, domain))
		cpumask_and(&monitored, &monitored, domain);
	rcu_read_unlock();
}

int control_init(void)
{
	int cpu, state;

	set_period(PERIOD_DEFAULT_NS);
	set_threshold(THRESHOLD_DEFAULT_NS);
	choose_cpus();

	/*
	 * The kernel would call cpus_online() in a thread of each online CPU, and wait for the
	 * thread. So call the function here, while no CPU can come or go.
	 */
	cpus_read_lock();
	state = __cpuhp_setup_state_cpuslocked(CPUHP_AP_ONLINE_DYN, "trace_irqoff:online", false,
					       cpus_online, cpus_offline, false);
	if (state >= 0) {
		hotplug_state = state;
		for_each_online_cpu(cpu)
			cpus_online(cpu);
	}
	cpus_read_unlock();
	return min(state, 0);
}

void control_exit(void)
{
	control_enable(false);
	cpuhp_remove_state_nocalls(hotplug_state);
}
