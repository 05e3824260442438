// SPDX-License-Identifier: GPL-2.0
/*
 * trace_irqoff: finds out who keeps interrupts or softirqs off.
 *
 * Each monitored CPU has timers in hardirq and, when there is doubt that softirqs run, in
 * softirq context. A timer that runs late was kept from it: by how much is the latency, and
 * what the CPU was doing tells who it was. Each file has one concern, and calls only those
 * below it:
 *
 *	main.c		here: the parts are brought up in order, and down in reverse
 *	procfs.c	the files under /proc/trace_irqoff, and the settings among them
 *	report.c	trace_latency and records: a walk over the records
 *	active.c	active: the windows that are open now
 *	tables.c	distribute and histogram
 *	walk.c		what files with something for each CPU have in common
 *	print.c		what a window looks like
 *	frames.c	the frames of a stack
 *	names.c		their names, also when they are not there any more
 *	text.c		words from people and for people
 *	control.c	on and off, settings, CPUs that come and go
 *	cpus.c		the monitored CPUs: start, stop, IPIs
 *	detect/tick.c	what a tick does
 *	detect/tick_sched.c	ticks from the scheduler's tick
 *	detect/tick_timer.c	ticks from our own timer
 *	detect/softirq.c	softirq windows
 *	detect/watch.c	checks other CPUs
 *	detect/nmi.c	samples of a CPU that is stuck (nmi_x86.c)
 *	detect/counter.c	NMIs from a cycle counter
 *	record/record.c	makes a record of a window that has ended
 *	record/window.c	a window that is open, and the looks into it
 *	record/sample.c	one look at a CPU: task, state, stack
 *	record/stack_x86.c, stack_arm64.c	what the kernel's unwinder misses
 *	record/recorder.c	the newest windows
 *	record/histogram.c	all latencies
 *	compat.h	every difference between kernels
 *
 * Context: process.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "detect/nmi.h"
#include "control.h"
#include "detect/counter.h"
#include "record/histogram.h"
#include "detect/tick_sched.h"
#include "detect/tick_timer.h"
#include "detect/watch.h"
#include "names.h"
#include "procfs.h"
#include "record/recorder.h"
#include "cpus.h"
#include "detect/softirq.h"
#include "text.h"
#include "version.h"

#define NR_RECORDS_MIN	1
#define NR_RECORDS_MAX	65536

static bool enable;
module_param(enable, bool, 0);
MODULE_PARM_DESC(enable, "Trace from the beginning (default: no)");

static char *sampling_period;
module_param(sampling_period, charp, 0);
MODULE_PARM_DESC(sampling_period,
		 "Sampling period: ms, or with a unit us, ms, s (default: 10ms)");

static char *threshold;
module_param(threshold, charp, 0);
MODULE_PARM_DESC(threshold,
		 "Record windows from this length on: ms, or with a unit (default: 50ms)");

static unsigned int nr_records = 1024;
module_param(nr_records, uint, 0);
MODULE_PARM_DESC(nr_records, "Records to keep, 1 to 65536 (default: 1024)");

static char *cpus;
module_param(cpus, charp, 0);
MODULE_PARM_DESC(cpus,
		 "List of CPUs to monitor (default: those that are not isolated)");

static int nmi = -1;
module_param(nmi, bint, 0);
MODULE_PARM_DESC(nmi,
		 "Look into hardirq windows by NMI (default: unless a driver is loaded that may panic on one)");

static unsigned long cycles;
module_param(cycles, ulong, 0);
MODULE_PARM_DESC(cycles,
		 "Each CPU looks at itself, by an NMI of a counter each so many cycles in the kernel (default: 0, no)");

static int set_duration(const char *text, int (*set)(u64 ns))
{
	char *copy = kstrdup(text, GFP_KERNEL);
	int ret = -ENOMEM;
	u64 ns;

	if (copy)
		ret = text_to_ns(copy, &ns) ?: set(ns);
	kfree(copy);
	return ret;
}

/* Take the parameters as a write to the file of the same meaning would. */
static int apply_parameters(void)
{
	const char *name, *value;
	int ret = 0;

	name = "sampling_period";
	value = sampling_period;
	if (value)
		ret = set_duration(value, control_set_period);
	if (!ret && threshold) {
		name = "threshold";
		value = threshold;
		ret = set_duration(value, control_set_threshold);
	}
	if (!ret && cpus) {
		name = "cpus";
		value = cpus;
		ret = control_set_cpus(value);
	}
	if (ret)
		pr_err("%s=%s refused: %pe\n", name, value, ERR_PTR(ret));
	return ret;
}

static int __init trace_irqoff_init(void)
{
	int ret;

	if (nr_records < NR_RECORDS_MIN || nr_records > NR_RECORDS_MAX) {
		pr_err("nr_records=%u refused, 1 to 65536 can be kept\n",
		       nr_records);
		return -ERANGE;
	}

	if (cycles && cycles < COUNTER_CYCLES_MIN) {
		pr_err("cycles=%lu refused, the least is %u\n", cycles,
		       COUNTER_CYCLES_MIN);
		return -ERANGE;
	}

	ret = recorder_init(nr_records);
	if (ret)
		return ret;
	ret = histogram_init();
	if (ret)
		goto recorder;
	ret = nmi_setup(nmi, cycles);
	if (ret)
		goto histogram;
	ret = softirqs_init();
	if (ret)
		goto nmi;
	watch_init();
	tick_timer_init();
	cpus_init();
	ret = names_init();
	if (ret)
		goto softirq;
	ret = control_init();
	if (ret)
		goto names;
	tick_sched_init();
	ret = apply_parameters();
	if (ret)
		goto control;
	ret = procfs_init();
	if (ret)
		goto control;

	if (enable)
		control_enable(true);
	return 0;

control:
	control_exit();
	tick_sched_exit();
	cpus_exit();
names:
	names_exit();
softirq:
	softirqs_exit();
nmi:
	nmi_teardown();
histogram:
	histogram_exit();
recorder:
	recorder_exit();
	return ret;
}

static void __exit trace_irqoff_exit(void)
{
	procfs_exit();
	control_exit();
	tick_sched_exit();
	cpus_exit();
	names_exit();
	softirqs_exit();
	nmi_teardown();
	histogram_exit();
	recorder_exit();
}

module_init(trace_irqoff_init);
module_exit(trace_irqoff_exit);

MODULE_DESCRIPTION("Finds out who keeps interrupts or softirqs off");
MODULE_AUTHOR("The trace_irqoff team");
MODULE_VERSION(TRACE_IRQOFF_VERSION);
MODULE_LICENSE("GPL");
