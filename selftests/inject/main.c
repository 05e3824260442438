// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * /proc/irqoff_inject: makes windows of known length, on a known CPU, in known functions. Only for
 * test machines: a window delays all other work of its CPU, and lockup detectors may complain.
 *
 * Context: process.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "file.h"
#include "window.h"

struct inject_request {
	const struct inject_kind *kind;
	u64 amount;
	unsigned int cpu;
};

struct inject_result {
	const struct inject_kind *kind;	/* NULL: no window was made yet */
	u64 start_ns;
	u64 end_ns;
};

struct inject_cpu {
	struct mutex busy;	/* protects window; held until the window is over */
	struct inject_window window;
	struct inject_result result;
};

static DEFINE_PER_CPU(struct inject_cpu, inject_cpus);

/*
 * Protects the results. A reader that holds it cannot be interrupted by a window: otherwise a
 * writer on another CPU would wait for the end of that window.
 */
static DEFINE_RAW_SPINLOCK(inject_results_lock);

static void inject_put_result(struct inject_cpu *ic, const struct inject_kind *kind)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&inject_results_lock, flags);
	ic->result.kind = kind;
	ic->result.start_ns = ic->window.start_ns;
	ic->result.end_ns = ic->window.end_ns;
	raw_spin_unlock_irqrestore(&inject_results_lock, flags);
}

/*
 * Move to the CPU, make the window, move back. If another task changes the affinity of the writer
 * meanwhile, that change is lost.
 */
static int inject(const struct inject_request *req)
{
	struct inject_cpu *ic = per_cpu_ptr(&inject_cpus, req->cpu);
	cpumask_var_t saved;
	int ret;

	if (!alloc_cpumask_var(&saved, GFP_KERNEL))
		return -ENOMEM;
	ret = mutex_lock_killable(&ic->busy);
	if (ret)
		goto free;

	cpumask_copy(saved, current->cpus_ptr);
	if (set_cpus_allowed_ptr(current, cpumask_of(req->cpu))) {
		ret = -ENXIO;
		goto unlock;
	}
	ic->window.kind = req->kind;
	ic->window.amount = req->amount;
	ic->window.start_ns = 0;
	ic->window.end_ns = 0;
	req->kind->run(&ic->window);
	ret = ic->window.end_ns ? 0 : -ENXIO;
	if (!ret)
		inject_put_result(ic, req->kind);
	set_cpus_allowed_ptr(current, saved);
unlock:
	mutex_unlock(&ic->busy);
free:
	free_cpumask_var(saved);
	return ret;
}

/*
 * "KIND AMOUNT [CPU]", separated by one blank: "hardirq 425000 1" keeps interrupts off for 425 ms
 * on CPU 1. Without a CPU: the CPU of the writer. Changes the line.
 */
static int inject_parse(char *line, struct inject_request *req)
{
	const char *kind = strsep(&line, " ");
	const char *amount = strsep(&line, " ");
	const char *cpu = strsep(&line, " ");
	int ret;

	req->kind = inject_window_find_kind(kind);
	if (!req->kind || !amount || line)
		return -EINVAL;

	ret = kstrtou64(amount, 10, &req->amount);
	if (ret)
		return ret;
	if (!req->amount || req->amount > req->kind->max_amount)
		return -ERANGE;

	req->cpu = raw_smp_processor_id();
	ret = cpu ? kstrtouint(cpu, 10, &req->cpu) : 0;
	if (ret)
		return ret;
	return req->cpu < nr_cpu_ids && cpu_online(req->cpu) ? 0 : -ENXIO;
}

/* Returns when the window is over. */
static int inject_obey(char *line)
{
	struct inject_request req;
	int ret = inject_parse(line, &req);

	return ret ? ret : inject(&req);
}

/* The last window of each CPU, with the times that were read inside the window. */
static int inject_show(struct seq_file *m, void *unused)
{
	struct inject_result result;
	unsigned long flags;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		raw_spin_lock_irqsave(&inject_results_lock, flags);
		result = per_cpu(inject_cpus, cpu).result;
		raw_spin_unlock_irqrestore(&inject_results_lock, flags);
		if (!result.kind)
			continue;
		seq_printf(m, "cpu=%u kind=%s start_ns=%llu end_ns=%llu elapsed_ns=%llu\n",
			   cpu, result.kind->name, result.start_ns,
			   result.end_ns, result.end_ns - result.start_ns);
	}
	return 0;
}

static const struct inject_file inject_file = {
	.name = "irqoff_inject",
	.obey = inject_obey,
	.show = inject_show,
};

static const struct inject_file * const inject_files[] = {
	&inject_file,
	&cost_file,
#ifdef CONFIG_KPROBES
	&fail_file,
#endif
};

/* The first @nr_files exist. Removing inject_file waits for its writers: then no window is left. */
static void inject_clean_up(unsigned int nr_files)
{
	unsigned int cpu;

	while (nr_files)
		inject_file_remove(inject_files[--nr_files]);
	for_each_possible_cpu(cpu)
		inject_nowindow_exit(&per_cpu(inject_cpus, cpu).window);
	inject_storm_exit();
	rcu_barrier();
}

static int __init inject_init(void)
{
	struct inject_cpu *ic;
	unsigned int cpu, i;
	int ret = inject_storm_init();

	if (ret)
		return ret;
	for_each_possible_cpu(cpu) {
		ic = per_cpu_ptr(&inject_cpus, cpu);
		mutex_init(&ic->busy);
		inject_window_init(&ic->window, cpu);
	}

	for (i = 0; i < ARRAY_SIZE(inject_files); i++) {
		if (inject_file_create(inject_files[i])) {
			inject_clean_up(i);
			return -ENOMEM;
		}
	}
	return 0;
}

static void __exit inject_exit(void)
{
	inject_clean_up(ARRAY_SIZE(inject_files));
}

module_init(inject_init);
module_exit(inject_exit);

MODULE_DESCRIPTION("Interrupts-off windows of known length, for tests");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
