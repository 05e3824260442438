// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * trace_irqoff finds the code that keeps a CPU from its interrupts or softirqs.
 *
 * Each monitored CPU ticks: by the scheduler's tick, or by a timer of our own. A tick that is late
 * ends a hardirq window: interrupts were off. Ticks also notice when softirqs do not run. CPUs
 * check each other, and sample a CPU that is stuck by an NMI. Windows become records, which
 * files in /proc show. A file calls files of its own folder, and of the folders below it:
 *
 *	main.c			parameters, init, exit
 *	show/procfs.c		the files in /proc/trace_irqoff
 *	show/report.c		trace_latency and records
 *	show/active.c		active: windows that are open now
 *	show/tables.c		distribute and histogram
 *	show/print.c		prints records and windows
 *	show/symbols.c		prints stacks
 *	control.c		enable and settings
 *	cpus.c			starts and stops monitoring of a CPU; IPIs; hotplug
 *	detect/tick.c		what a tick does
 *	detect/tick_sched.c	ticks from the scheduler's tick
 *	detect/tick_timer.c	ticks from our own timer
 *	detect/softirq.c	softirq windows
 *	detect/watch.c		which CPUs check other CPUs
 *	detect/check.c		which CPUs are stuck
 *	detect/nmi.c		samples of a CPU that is stuck (nmi_x86.c: sends the NMIs)
 *	detect/counter.c	NMIs from a cycle counter
 *	record/record.c		makes a record of a window that has ended
 *	record/recorder.c	the newest records
 *	record/histogram.c	all latencies
 *	record/window.c		a window that is open, with its samples
 *	record/sample.c		takes a sample: task, state, stack
 *	record/stack_x86.c, stack_arm64.c	callers that the kernel's unwinder misses
 *	text.c			durations, times and task names as text
 *	compat.h		differences between kernels
 *
 * Context: process.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/module.h>

#include "control.h"
#include "cpus.h"
#include "detect/counter.h"
#include "detect/nmi.h"
#include "detect/softirq.h"
#include "detect/tick.h"
#include "detect/watch.h"
#include "record/histogram.h"
#include "record/recorder.h"
#include "show/files.h"
#include "show/symbols.h"
#include "version.h"

#define NR_RECORDS_MAX	65536

static bool enable;
module_param(enable, bool, 0);
MODULE_PARM_DESC(enable, "Trace from the beginning (default: no)");

static char *sampling_period;
module_param(sampling_period, charp, 0);
MODULE_PARM_DESC(sampling_period, "Sampling period: ms, or with a unit us, ms, s (default: 10ms)");

static char *threshold;
module_param(threshold, charp, 0);
MODULE_PARM_DESC(threshold,
		 "Record windows from this length on: ms, or with a unit (default: 50ms)");

static unsigned int nr_records = 1024;
module_param(nr_records, uint, 0);
MODULE_PARM_DESC(nr_records, "Records to keep, 1 to 65536 (default: 1024)");

static char *cpus;
module_param(cpus, charp, 0);
MODULE_PARM_DESC(cpus, "List of CPUs to monitor (default: those that are not isolated)");

static int nmi = -1;
module_param(nmi, bint, 0);
MODULE_PARM_DESC(nmi,
		 "Sample hardirq windows by NMI (default: unless a loaded driver may panic on one)");

static unsigned long cycles;
module_param(cycles, ulong, 0);
MODULE_PARM_DESC(cycles,
		 "Each CPU samples itself by an NMI, each N cycles in the kernel (default: 0, off)");

/* As a write to the file of the same meaning. */
static int apply(const char *name, const char *value, int (*set)(const char *text))
{
	int ret = value ? set(value) : 0;

	if (ret)
		pr_err("%s=%s refused: %pe\n", name, value, ERR_PTR(ret));
	return ret;
}

static int __init trace_irqoff_init(void)
{
	int ret;

	if (!nr_records || nr_records > NR_RECORDS_MAX) {
		pr_err("nr_records=%u refused, 1 to 65536 can be kept\n", nr_records);
		return -ERANGE;
	}

	if (cycles && cycles < COUNTER_CYCLES_MIN) {
		pr_err("cycles=%lu refused, the least is %u\n", cycles, COUNTER_CYCLES_MIN);
		return -ERANGE;
	}

	ret = recorder_init(nr_records);
	if (ret)
		return ret;
	ret = histogram_init();
	if (ret)
		goto recorder;
	ret = nmi_setup(nmi);
	if (ret)
		goto histogram;
	ret = softirqs_init();
	if (ret)
		goto nmi;
	watch_init();
	tick_timer_init();
	counter_init(cycles);
	ret = symbols_init();
	if (ret)
		goto softirq;
	ret = control_init();
	if (ret)
		goto symbols;
	tick_sched_init();
	ret = apply("sampling_period", sampling_period, control_set_period) ?:
	      apply("threshold", threshold, control_set_threshold) ?:
	      apply("cpus", cpus, control_set_cpus);
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
symbols:
	symbols_exit();
softirq:
	counter_exit();
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
	symbols_exit();
	counter_exit();
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
