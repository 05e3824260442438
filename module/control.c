// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Puts settings in force. No function waits for a CPU that has interrupts off: enabling sends
 * asynchronous IPIs, and disabling cancels the timers from this CPU. CPU hotplug may run meanwhile,
 * and takes no lock of ours: a CPU that comes online reads whether it is monitored (cpus.c).
 *
 * Context: process, one caller at a time (settings.c).
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "control.h"
#include "cpus.h"
#include "detect/counter.h"
#include "detect/nmi.h"
#include "detect/watch.h"
#include "record/histogram.h"
#include "settings.h"

/* Limits of the members of struct settings. */
#define TIMER_MAX_NS		(10 * NSEC_PER_MSEC)
#define LATE_MAX_NS		(500 * NSEC_PER_USEC)
#define CHECK_MAX_NS		(12 * NSEC_PER_MSEC)
#define SLOW_CHECK_MIN_NS	(50 * NSEC_PER_MSEC)
#define SLOW_CHECK_MAX_NS	(500 * NSEC_PER_MSEC)

struct settings settings;

static enum cpuhp_state hotplug_state;

static void start(const struct cpumask *cpus)
{
	int cpu;

	counter_enable(cpus);
	watch_enable();
	for_each_cpu(cpu, cpus)
		cpus_start(cpu);
}

static void stop(const struct cpumask *cpus)
{
	int cpu;

	for_each_cpu(cpu, cpus)
		cpus_stop(cpu);
	counter_enable(cpu_none_mask);
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
	WRITE_ONCE(settings.period_ns, period_ns);
	WRITE_ONCE(settings.timer_ns, min_t(u64, period_ns, TIMER_MAX_NS));
	WRITE_ONCE(settings.off_ns, min_t(u64, settings.timer_ns, TICK_NSEC) / 2);
	histogram_clear();
}

void control_apply(const struct user_settings *from, const struct user_settings *to)
{
	bool new_period = to->period_ns != from->period_ns;
	bool restart = new_period || to->nosched != from->nosched ||
		       !cpumask_equal(&to->cpus, &from->cpus);

	if (from->enable && (restart || !to->enable))
		stop(&from->cpus);
	if (to->enable != from->enable)
		nmi_enable(to->enable);
	if (new_period)
		set_period(to->period_ns);
	set_threshold(to->threshold_ns);
	WRITE_ONCE(settings.nosched, to->nosched);
	if (to->enable && (restart || !from->enable))
		start(&to->cpus);
}

int control_init(void)
{
	int cpu, state;

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
	cpuhp_remove_state_nocalls(hotplug_state);
}
