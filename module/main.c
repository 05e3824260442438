// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * trace_irqoff finds the code that keeps a CPU from its interrupts, softirqs or tasks.
 *
 * A window is a time in which a CPU took no timer interrupt (hardirq window), ran no softirqs
 * (softirq window), or ran kernel code although another task should run (nosched window). Each
 * monitored CPU ticks. A late tick ends a hardirq window. A tick that finds softirqs or a task
 * delayed opens a softirq or nosched window. CPUs check each other, and send a stuck CPU an NMI,
 * which takes a sample: what does the CPU do now? A window that has ended becomes a record, which
 * files in /proc show. A file calls functions of files below in this list:
 *
 *	main.c			loads and unloads the module
 *	show/procfs.c		has the files in /proc/trace_irqoff
 *	show/status.c		prints status
 *	show/report.c		prints trace_latency and records
 *	show/blackbox.c		prints windows to the kernel log when the kernel panics
 *	show/active.c		prints active: windows that are open now
 *	show/tables.c		prints distribute and histogram
 *	show/handlers.c		prints handlers
 *	show/print.c		prints a record or a window
 *	show/went_on.c		prints which function went on between two samples
 *	show/symbols.c		prints a stack
 *	show/prologue_x86.c	reads which registers a function saves
 *	settings.c		has the settings that users write, and sessions
 *	cpus.c			starts and stops the monitoring of a CPU
 *	detect/tick_sched.c	ticks with the scheduler's tick
 *	detect/tick_timer.c	ticks with a timer of our own
 *	detect/tick.c		measures in each tick how late it is
 *	detect/watch.c		divides CPUs into groups; chooses who checks a group
 *	detect/check.c		finds CPUs that are stuck
 *	detect/softirqs.c	finds softirq windows
 *	detect/nosched.c	finds nosched windows
 *	detect/counter.c	sends each CPU NMIs from a cycle counter, on arm64
 *	detect/nmi.c, nmi_x86.c	send NMIs to stuck CPUs, which take a sample
 *	detect/ipi.c		sends IPIs
 *	handlers/probes.c	has the tracepoints at the begin and the end of handlers
 *	handlers/count.c	counts handlers and their time
 *	record/record.c		makes a record of a window that has ended
 *	record/recorder.c	keeps the newest records
 *	record/announce.c	fires trace events (trace.h), and wakes those who poll
 *	record/histogram.c	counts all latencies
 *	record/window.c		keeps an open window with its samples
 *	record/sample.c		takes a sample: task, state, stack
 *	record/stack_x86.c	finds callers that the kernel's unwinder misses
 *	record/stack_arm64.c	finds them on arm64
 *	record/memory_x86.c	keeps the memory of a stack for went_on.c
 *	text.c			prints durations, times and names
 *	compat.h		hides differences between kernels (compat.mk)
 *	version.h		has the version
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <generated/utsrelease.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/utsname.h>

#include "cpus.h"
#include "detect/delays.h"
#include "detect/nmi.h"
#include "detect/tick.h"
#include "detect/watch.h"
#include "handlers/handlers.h"
#include "record/announce.h"
#include "record/histogram.h"
#include "record/record.h"
#include "settings.h"
#include "show/files.h"
#include "version.h"

#define NR_RECORDS_MAX	65536

/* Parameters, as given at load */
static bool enable;
static char *sampling_period;
static char *threshold;
static char *cpus;
static bool nosched = true;
static unsigned int nr_records = 1024;
static int nmi = -1;
static unsigned long cycles;

/* sysfs does not show the first five: a write to /proc would make these values wrong. */
module_param(enable, bool, 0);
MODULE_PARM_DESC(enable, "Trace from the beginning (default: no)");

module_param(sampling_period, charp, 0);
MODULE_PARM_DESC(sampling_period, "Sampling period: ms, or with a unit us, ms, s (default: 10ms)");

module_param(threshold, charp, 0);
MODULE_PARM_DESC(threshold,
		 "Record windows of at least this length: ms, or with a unit (default: 50ms)");

module_param(cpus, charp, 0);
MODULE_PARM_DESC(cpus, "List of CPUs to monitor (default: those that are not isolated)");

module_param(nosched, bool, 0);
MODULE_PARM_DESC(nosched, "Find kernel code that keeps a CPU from its tasks, too (default: yes)");

module_param(nr_records, uint, 0444);
MODULE_PARM_DESC(nr_records, "Records to keep, 1 to 65536 (default: 1024)");

module_param(nmi, bint, 0444);
MODULE_PARM_DESC(nmi,
		 "Sample hardirq windows by NMI (default: unless NMIs may do harm, see SECURITY.md; shown as -1)");

#ifdef CONFIG_ARM64
module_param(cycles, ulong, 0444);
MODULE_PARM_DESC(cycles,
		 "Each CPU samples itself by an NMI, each N cycles in the kernel (default: 0, off)");
#endif

static int main_set(const char *name, const char *value)
{
	int ret = value ? settings_set(name, value) : 0;

	if (ret)
		pr_err("invalid parameter %s=%s: %pe\n", name, value, ERR_PTR(ret));
	return ret;
}

static int hotplug_state;	/* an enum cpuhp_state; 0 or below: not registered */

static int __init main_init_hotplug(void)
{
	int cpu;

	/*
	 * The kernel would call cpus_online() in a thread of each online CPU, and wait for the
	 * thread. So call the function here, while no CPU can come or go.
	 */
	cpus_read_lock();
	hotplug_state = __cpuhp_setup_state_cpuslocked(CPUHP_AP_ONLINE_DYN, "trace_irqoff:online",
						       false, cpus_online, cpus_offline, false);
	if (hotplug_state > 0)
		for_each_online_cpu(cpu)
			cpus_online(cpu);
	cpus_read_unlock();
	return min(hotplug_state, 0);
}

static void trace_irqoff_exit(void)
{
	procfs_exit();
	blackbox_exit();
	handlers_exit();
	settings_exit();
	if (hotplug_state > 0)
		cpuhp_remove_state_nocalls(hotplug_state);
	tick_sched_exit();
	cpus_exit();
	symbols_exit();
	if (COUNTER_SUPPORTED)
		counter_exit();
	nmi_teardown();
	softirqs_exit();
	nosched_exit();
	watch_exit();
	histogram_exit();
	announce_exit();
	recorder_exit();
}

static int __init trace_irqoff_init(void)
{
	int ret;

	/*
	 * weak-modules of RHEL links a module into other kernels whose symbols have the same
	 * versions. These versions do not cover all that this module reads.
	 */
	if (strcmp(init_utsname()->release, UTS_RELEASE)) {
		pr_err("built for Linux %s, not for this one, %s: build it again\n",
		       UTS_RELEASE, init_utsname()->release);
		return -ENOEXEC;
	}
	if (!nr_records || nr_records > NR_RECORDS_MAX) {
		pr_err("invalid parameter nr_records=%u: must be 1 to %u\n",
		       nr_records, NR_RECORDS_MAX);
		return -ERANGE;
	}
	if (cycles && cycles < COUNTER_CYCLES_MIN) {
		pr_err("invalid parameter cycles=%lu: must be 0, or at least %u\n",
		       cycles, COUNTER_CYCLES_MIN);
		return -ERANGE;
	}

	ret = recorder_init(nr_records) ?: histogram_init() ?: watch_init() ?: nosched_init() ?:
	      softirqs_init() ?: nmi_setup(nmi);
	if (ret) {
		/* These free memory, and accept that there is none. */
		softirqs_exit();
		nosched_exit();
		watch_exit();
		histogram_exit();
		recorder_exit();
		return ret;
	}
	ipi_init(cpus_on_ipi);
	tick_timer_init();
	if (COUNTER_SUPPORTED)
		counter_init(cycles);
	settings_init();
	handlers_init();
	tick_sched_init();

	/* trace_irqoff_exit() undoes all of these, even those that have not run. */
	ret = symbols_init() ?: main_init_hotplug() ?:
	      main_set("sampling_period", sampling_period) ?:
	      main_set("threshold", threshold) ?:
	      main_set("cpus", cpus) ?:
	      main_set("nosched", nosched ? NULL : "0") ?:
	      main_set("enable", enable ? "1" : NULL) ?:
	      procfs_init();
	if (ret)
		trace_irqoff_exit();
	else
		blackbox_init();
	return ret;
}

module_init(trace_irqoff_init);
module_exit(trace_irqoff_exit);

MODULE_DESCRIPTION("Tracer of code that keeps a CPU from its interrupts, softirqs or tasks");
MODULE_AUTHOR("The trace_irqoff authors");
MODULE_VERSION(TRACE_IRQOFF_VERSION);
MODULE_INFO(newest_tested_kernel, NEWEST_TESTED);
MODULE_LICENSE("GPL");
