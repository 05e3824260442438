// SPDX-License-Identifier: GPL-2.0
/*
 * irqoff_inject: makes windows of known length, on a known CPU, in known functions.
 *
 * Each write to /proc/irqoff_inject makes one window:
 *
 *	echo "hardirq 425000 1" > /proc/irqoff_inject
 *
 * keeps interrupts off for 425 ms on CPU 1. The write returns when the window is over. Without the
 * third field, the CPU is the CPU of the writer. The second field is in microseconds, but for
 * "loop" it is a number of iterations, and for "nmi" a number of NMIs. The file has the last window
 * of each CPU, with the times that were read inside the window.
 *
 * Only for test machines: these windows harm other work on the host, and from ten seconds on lockup
 * detectors may complain.
 *
 * Context: process.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "cost.h"
#include "fail.h"
#include "file.h"
#include "idle.h"
#include "ticker.h"
#include "window.h"

struct inject_request {
	const struct inject_kind *kind;
	u64 amount;
	unsigned int cpu;
};

struct inject_result {
	const struct inject_kind *kind;	/* NULL: none so far */
	u64 start_ns;
	u64 end_ns;
};

struct inject_cpu {
	/* Protects window. The writer holds it until the window is over. */
	struct mutex busy;
	struct inject_window window;

	/*
	 * Protects result. It is held only to copy result, with interrupts off: so a reader never
	 * waits for the end of a window.
	 */
	raw_spinlock_t result_lock;
	struct inject_result result;
};

static DEFINE_PER_CPU(struct inject_cpu, inject_cpus);

static void inject_put_result(struct inject_cpu *ic,
			      const struct inject_kind *kind)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&ic->result_lock, flags);
	ic->result.kind = kind;
	ic->result.start_ns = ic->window.start_ns;
	ic->result.end_ns = ic->window.end_ns;
	raw_spin_unlock_irqrestore(&ic->result_lock, flags);
}

static struct inject_result inject_get_result(struct inject_cpu *ic)
{
	struct inject_result result;
	unsigned long flags;

	raw_spin_lock_irqsave(&ic->result_lock, flags);
	result = ic->result;
	raw_spin_unlock_irqrestore(&ic->result_lock, flags);
	return result;
}

/* With ic->busy held, in a task that may run only on the CPU of ic. */
static int inject_run(struct inject_cpu *ic, const struct inject_request *req)
{
	int ret;

	ic->window.amount = req->amount;
	ic->window.start_ns = 0;
	ic->window.end_ns = 0;
	ret = req->kind->run(&ic->window);
	if (!ret)
		inject_put_result(ic, req->kind);
	return ret;
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
	ret = inject_run(ic, req);
	set_cpus_allowed_ptr(current, saved);
unlock:
	mutex_unlock(&ic->busy);
free:
	free_cpumask_var(saved);
	return ret;
}

/* Only digits: kstrtou64() alone would accept a sign. */
static int inject_parse_number(const char *field, u64 *number)
{
	if (!*field || field[strspn(field, "0123456789")])
		return -EINVAL;
	return kstrtou64(field, 10, number);
}

static int inject_parse_cpu(const char *field, unsigned int *cpu)
{
	u64 number;
	int ret;

	ret = inject_parse_number(field, &number);
	if (ret == -EINVAL)
		return ret;
	/* A number that is too large for a u64 is a CPU that does not exist, too. */
	if (ret || number >= nr_cpu_ids || !cpu_online(number))
		return -ENXIO;
	*cpu = number;
	return 0;
}

/* "KIND AMOUNT [CPU]", separated by one blank. Changes the line. */
static int inject_parse(char *line, struct inject_request *req)
{
	const char *kind = strsep(&line, " ");
	const char *amount = strsep(&line, " ");
	const char *cpu = strsep(&line, " ");
	int ret;

	req->kind = inject_find_kind(kind);
	if (!req->kind || !amount || line)
		return -EINVAL;

	ret = inject_parse_number(amount, &req->amount);
	if (ret)
		return ret;
	if (!req->amount || req->amount > req->kind->max_amount)
		return -ERANGE;

	if (cpu)
		return inject_parse_cpu(cpu, &req->cpu);
	req->cpu = raw_smp_processor_id();
	return 0;
}

static int inject_obey(char *line)
{
	struct inject_request req;
	int ret = inject_parse(line, &req);

	return ret ? ret : inject(&req);
}

static int inject_show(struct seq_file *m, void *unused)
{
	struct inject_result result;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		result = inject_get_result(per_cpu_ptr(&inject_cpus, cpu));
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

static void inject_windows_exit(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		inject_window_exit(&per_cpu_ptr(&inject_cpus, cpu)->window);
	inject_idle_free();
}

static int __init inject_init(void)
{
	struct inject_cpu *ic;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		ic = per_cpu_ptr(&inject_cpus, cpu);
		mutex_init(&ic->busy);
		raw_spin_lock_init(&ic->result_lock);
		inject_window_init(&ic->window, cpu);
	}

	if (inject_file_create(&inject_file))
		goto windows;
	if (fail_init())
		goto inject;
	if (ticker_init())
		goto fail;
	if (cost_init())
		goto ticker;
	return 0;

ticker:
	ticker_exit();
fail:
	fail_exit();
inject:
	inject_file_remove(&inject_file);
windows:
	inject_windows_exit();
	return -ENOMEM;
}

/*
 * Removing the file waits for all writes, and a write does not return before its timer or tasklet
 * has run.
 */
static void __exit inject_exit(void)
{
	cost_exit();
	ticker_exit();
	fail_exit();
	inject_file_remove(&inject_file);
	inject_windows_exit();
}

module_init(inject_init);
module_exit(inject_exit);

MODULE_DESCRIPTION("Makes interrupts-off windows of known length, for tests");
MODULE_LICENSE("GPL");
