// SPDX-License-Identifier: GPL-2.0
/*
 * The one place that changes what the tracer does: on and off, settings, CPUs that
 * come and go.
 *
 * Turning on sends each CPU an interrupt and does not wait; turning off takes the
 * timers away from here. What needs all CPUs, hooks and handlers, is put in and taken out
 * by work items of idle.c and ask.c, when each CPU has come by. No thread or work item of
 * a CPU is needed, so a CPU that a real-time task does not let go of cannot hold up either.
 *
 * CPU hotplug is not locked out: a CPU that comes finds out by itself whether it
 * is to be monitored (sampler.c), and the mutex here is never taken from there.
 *
 * Context: process. cpu_came() and cpu_goes() run in the hotplug thread of the
 * CPU that they are called for.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "awake.h"
#include "compat.h"
#include "control.h"
#include "histogram.h"
#include "idle.h"
#include "recorder.h"
#include "sampler.h"
#include "settings.h"
#include "watch.h"

#define PERIOD_NS		(10 * NSEC_PER_MSEC)	/* to begin with */
#define ROUNDING_NS		NSEC_PER_USEC
#define PERIOD_MIN_NS		(100 * NSEC_PER_USEC)
#define PERIOD_MAX_NS		NSEC_PER_SEC
#define THRESHOLD_MAX_NS	(3600ULL * NSEC_PER_SEC)

struct settings settings = {
	.threshold_ns = 50 * NSEC_PER_MSEC,
};

/* Serialises all that follows, and the writes to the settings. */
static DEFINE_MUTEX(control_mutex);
static bool enabled;
static bool may_ride;
static struct cpumask monitored;
static enum cpuhp_state hotplug_state;

bool control_enabled(void)
{
	return READ_ONCE(enabled);
}

void control_enable(bool enable)
{
	unsigned int rank = 0;
	int cpu;

	mutex_lock(&control_mutex);
	if (enable && !enabled) {
		ask_enable(&monitored);
		watch_prepare(cpumask_weight(&monitored));
		awake_prepare(settings.threshold_ns);
		idle_enable(true);
	}
	for_each_cpu(cpu, &monitored) {
		if (enable && !enabled)
			sampler_start(cpu, watch_phase(rank++));
		else if (!enable && enabled)
			sampler_stop(cpu);
	}
	if (!enable && enabled) {
		watch_over();
		idle_enable(false);
		ask_enable(NULL);
	}
	WRITE_ONCE(enabled, enable);
	mutex_unlock(&control_mutex);
}

/*
 * A CPU that wakes for less than a scheduler tick is not to tick for us at all. But what is not
 * much longer than that would be lost with it.
 */
#define SHORT_TICKS	8

/* Of what is set by now. */
static void set_first(void)
{
	bool at_once = settings.period_ns < TICK_NSEC &&
		       settings.threshold_ns < SHORT_TICKS * TICK_NSEC;

	WRITE_ONCE(settings.first_ns,
		   at_once ? settings.period_ns : TICK_NSEC);
}

/*
 * Of a scheduler tick and more it is a whole number of ticks. With a HZ of 300 three of these
 * are a nanosecond short of 10 ms, which will do.
 */
static void set_period(u64 asked_ns)
{
	bool rides = may_ride && asked_ns + ROUNDING_NS >= TICK_NSEC;
	u64 period_ns = asked_ns;

	if (rides)
		period_ns = div_u64(asked_ns - ROUNDING_NS + TICK_NSEC - 1,
				    TICK_NSEC) * TICK_NSEC;
	if (period_ns != settings.period_ns) {
		WRITE_ONCE(settings.period_ns, period_ns);
		histogram_clear();
	}
	WRITE_ONCE(settings.grace_ns, rides ? TICK_NSEC : 0);
	settings.off_ns = period_ns - settings.grace_ns / 2;
	settings.asked_ns = asked_ns;
	set_first();
}

int control_set_period(u64 period_ns)
{
	u64 min_ns = max_t(u64, PERIOD_MIN_NS, 2 * hrtimer_resolution);
	int ret = -EBUSY;

	if (period_ns < min_ns || period_ns > PERIOD_MAX_NS)
		return -ERANGE;

	mutex_lock(&control_mutex);
	if (enabled)
		goto unlock;

	if (settings.threshold_ns < 2 * period_ns)
		WRITE_ONCE(settings.threshold_ns, 2 * period_ns);
	set_period(period_ns);
	ret = 0;
unlock:
	mutex_unlock(&control_mutex);
	return ret;
}

int control_set_threshold(u64 threshold_ns)
{
	int ret = 0;

	if (threshold_ns > THRESHOLD_MAX_NS)
		return -ERANGE;

	mutex_lock(&control_mutex);
	/* Whoever asked for 10 ms may have 20, whatever the scheduler's tick is. */
	if (threshold_ns < 2 * settings.asked_ns) {
		ret = -EINVAL;
	} else {
		WRITE_ONCE(settings.threshold_ns, threshold_ns);
		set_first();
		awake_prepare(threshold_ns);
	}
	mutex_unlock(&control_mutex);
	return ret;
}

static int parse_cpus(const char *list, struct cpumask *mask)
{
	int ret;

	/* To the parser it may be the end of the list, and hide what follows. */
	if (strchr(list, '\n'))
		return -EINVAL;

	ret = cpulist_parse(list, mask);
	if (ret == -EOVERFLOW)
		return -ERANGE;
	if (ret)
		return ret;
	if (cpumask_empty(mask))
		return -EINVAL;
	return cpumask_subset(mask, cpu_possible_mask) ? 0 : -ERANGE;
}

int control_set_cpus(const char *list)
{
	cpumask_var_t mask;
	int ret;

	if (!alloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;
	ret = parse_cpus(list, mask);
	if (ret)
		goto free;

	mutex_lock(&control_mutex);
	if (enabled)
		ret = -EBUSY;
	else
		cpumask_copy(&monitored, mask);
	mutex_unlock(&control_mutex);
free:
	free_cpumask_var(mask);
	return ret;
}

void control_get_cpus(struct cpumask *mask)
{
	mutex_lock(&control_mutex);
	cpumask_copy(mask, &monitored);
	mutex_unlock(&control_mutex);
}

void control_clear(void)
{
	mutex_lock(&control_mutex);
	recorder_clear();
	histogram_clear();
	mutex_unlock(&control_mutex);
}

static int cpu_came(unsigned int cpu)
{
	sampler_cpu_online(cpu);
	return 0;
}

static int cpu_goes(unsigned int cpu)
{
	sampler_cpu_offline(cpu);
	return 0;
}

/* All but those that are isolated in one way or the other. */
static void choose_cpus(void)
{
	const struct cpumask *domain;

	cpumask_and(&monitored, housekeeping_cpumask(COMPAT_HK_TIMER),
		    cpu_possible_mask);

	/* From 7.0 on it can change, and the old one is freed by RCU. */
	rcu_read_lock();
	domain = housekeeping_cpumask(COMPAT_HK_DOMAIN);
	if (cpumask_intersects(&monitored, domain))
		cpumask_and(&monitored, &monitored, domain);
	rcu_read_unlock();
}

int control_init(bool ride)
{
	int cpu, state;

	may_ride = ride;
	set_period(PERIOD_NS);
	choose_cpus();

	/*
	 * Without the calls: they would be made by a thread on each CPU, and wait
	 * for it. CPUs that are online already are told here instead, with hotplug
	 * held off so that none of them is missed or told wrongly.
	 */
	cpus_read_lock();
	state = __cpuhp_setup_state_cpuslocked(CPUHP_AP_ONLINE_DYN,
					       "trace_irqoff:online", false,
					       cpu_came, cpu_goes, false);
	if (state >= 0) {
		hotplug_state = state;
		for_each_online_cpu(cpu)
			sampler_cpu_online(cpu);
	}
	cpus_read_unlock();
	return min(state, 0);
}

void control_exit(void)
{
	control_enable(false);
	cpuhp_remove_state_nocalls(hotplug_state);
}
