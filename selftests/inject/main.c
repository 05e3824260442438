// SPDX-License-Identifier: GPL-2.0
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
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "file.h"
#include "window.h"

struct inject_cpu {
	struct mutex busy;	/* protects window; held until the window is over */
	struct inject_window window;
};

static DEFINE_PER_CPU(struct inject_cpu, inject_cpus);

/*
 * Move to the CPU, make the window, move back. If another task changes the affinity of the writer
 * meanwhile, that change is lost.
 */
static int inject(const struct inject_kind *kind, u64 amount, unsigned int cpu)
{
	struct inject_cpu *ic = per_cpu_ptr(&inject_cpus, cpu);
	cpumask_var_t saved;
	int ret;

	if (!alloc_cpumask_var(&saved, GFP_KERNEL))
		return -ENOMEM;
	ret = mutex_lock_killable(&ic->busy);
	if (ret)
		goto free;

	cpumask_copy(saved, current->cpus_ptr);
	if (set_cpus_allowed_ptr(current, cpumask_of(cpu))) {
		ret = -ENXIO;
		goto unlock;
	}
	ic->window.kind = kind;
	ic->window.amount = amount;
	ic->window.start_ns = 0;
	ic->window.end_ns = 0;
	kind->run(&ic->window);
	ret = ic->window.end_ns ? 0 : -ENXIO;
	set_cpus_allowed_ptr(current, saved);
unlock:
	mutex_unlock(&ic->busy);
free:
	free_cpumask_var(saved);
	return ret;
}

/*
 * "KIND AMOUNT [CPU]", separated by one blank: "hardirq 425000 1" keeps interrupts off for 425 ms
 * on CPU 1. Without a CPU: that of the writer. Changes the line. Returns after the window.
 */
static int inject_obey(char *line)
{
	const struct inject_kind *kind = inject_window_find_kind(strsep(&line, " "));
	const char *amount_word = strsep(&line, " ");
	const char *cpu_word = strsep(&line, " ");
	unsigned int cpu = raw_smp_processor_id();
	u64 amount;
	int ret;

	if (!kind || !amount_word || line)
		return -EINVAL;
	ret = kstrtou64(amount_word, 10, &amount);
	if (!ret && cpu_word)
		ret = kstrtouint(cpu_word, 10, &cpu);
	if (ret)
		return ret;
	if (!amount || amount > kind->max_amount)
		return -ERANGE;
	if (cpu >= nr_cpu_ids || !cpu_online(cpu))
		return -ENXIO;
	return inject(kind, amount, cpu);
}

/*
 * The last window of each CPU, with the times that were read inside the window. Not locked, so
 * tests read only when the window is over: with a lock, a reader would wait for the window.
 */
static int inject_show(struct seq_file *m, void *unused)
{
	const struct inject_window *w;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		w = &per_cpu(inject_cpus, cpu).window;
		if (w->end_ns)
			seq_printf(m, "cpu=%u start_ns=%llu end_ns=%llu elapsed_ns=%llu\n", cpu,
				   w->start_ns, w->end_ns, w->end_ns - w->start_ns);
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
	while (nr_files)
		inject_file_remove(inject_files[--nr_files]);
	inject_nowindow_exit();
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
		ic->window.cpu = cpu;
		raw_spin_lock_init(&ic->window.lock);
		init_completion(&ic->window.done);
	}
	inject_nowindow_init();
	inject_contexts_init();

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
