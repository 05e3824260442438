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
 *	idle.c		tells when a CPU goes idle, and when it wakes
 *	sampler.c	the CPUs that are monitored: begin, come, go, stop
 *	ticker.c	the hard timers of a CPU, of which one is on
 *	tick.c		what it makes of their ticks
 *	late.c		by how much one is late
 *	softirqs.c	the soft timer, likewise
 *	ended.c		makes a record of a window that is over
 *	watch.c		one CPU that watches the ticks of all others
 *	guard.c		two that look now and then, while none watches
 *	overdue.c	who has missed a tick: is called, and asked for a look
 *	ask.c		a look at a CPU that has missed one, by NMI (nmi_x86.c)
 *	counter.c	a look of a CPU at itself, by NMI of a cycle counter
 *	call.c		calls to other CPUs, that nobody waits for
 *	awake.c		since when a CPU has been awake
 *	window.c	a window that is open, and the looks into it
 *	sample.c	one look at a CPU: task, state, stack
 *	stack_x86.c, stack_arm64.c	what the kernel's unwinder misses
 *	recorder.c	the newest windows
 *	histogram.c	all latencies
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

#include "ask.h"
#include "awake.h"
#include "control.h"
#include "counter.h"
#include "histogram.h"
#include "idle.h"
#include "names.h"
#include "procfs.h"
#include "recorder.h"
#include "sampler.h"
#include "softirqs.h"
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

static bool ride = true;
module_param(ride, bool, 0);
MODULE_PARM_DESC(ride,
		 "Ride on the scheduler's tick, and leave idle CPUs alone (default: yes)");

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
	ret = ask_init(nmi, cycles);
	if (ret)
		goto histogram;
	ret = softirqs_init();
	if (ret)
		goto ask;
	ret = sampler_init();
	if (ret)
		goto softirqs;
	ret = names_init();
	if (ret)
		goto sampler;
	ret = control_init(idle_init(ride));
	if (ret)
		goto names;
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
names:
	names_exit();
	idle_exit();
sampler:
	sampler_exit();
softirqs:
	softirqs_exit();
ask:
	ask_exit();
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
	names_exit();
	idle_exit();
	sampler_exit();
	softirqs_exit();
	ask_exit();
	histogram_exit();
	recorder_exit();
}

module_init(trace_irqoff_init);
module_exit(trace_irqoff_exit);

MODULE_DESCRIPTION("Finds out who keeps interrupts or softirqs off");
MODULE_AUTHOR("The trace_irqoff team");
MODULE_VERSION(TRACE_IRQOFF_VERSION);
MODULE_LICENSE("GPL");
