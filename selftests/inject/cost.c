// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/irqoff_cost: how long the probes of the tracepoint hrtimer_expire_entry take. "on"
 * registers a probe before all others and a probe after them. One writer at a time.
 *
 * Context: the probes run in hardirq or softirq, all else in process context.
 */
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/timex.h>
#include <linux/tracepoint.h>
#include <trace/events/timer.h>

#include "compat.h"
#include "file.h"

#define CALLBACKS_MAX	16
#define COST_MAX_CYC	8000	/* longer: the emulator ran another CPU meanwhile */

struct callback_cost {
	void *callback;
	u64 calls;
	u64 sum_cyc;
};

/*
 * Written only by its own CPU. If a hard timer interrupts a soft timer between the probes, the call
 * of the soft timer is measured wrong.
 */
struct cpu_cost {
	cycles_t begin_cyc;
	struct callback_cost callbacks[CALLBACKS_MAX];
};

static DEFINE_PER_CPU(struct cpu_cost, costs);
static struct tracepoint *expire_entry;
static unsigned int nr_registered;	/* of probes[] */

static void first_probe(void *unused, struct hrtimer *timer, COMPAT_EXPIRE_NOW)
{
	this_cpu_write(costs.begin_cyc, get_cycles());
}

/* Its cost is part of each measurement: subtract a measurement without trace_irqoff. */
static void empty_probe(void *unused, struct hrtimer *timer, COMPAT_EXPIRE_NOW)
{
}

static void last_probe(void *unused, struct hrtimer *timer, COMPAT_EXPIRE_NOW)
{
	cycles_t cost_cyc = get_cycles();
	struct cpu_cost *cpu = this_cpu_ptr(&costs);
	void *callback = ACCESS_PRIVATE(timer, function);
	struct callback_cost *c = cpu->callbacks;

	while (c < cpu->callbacks + CALLBACKS_MAX && c->callback && c->callback != callback)
		c++;
	cost_cyc -= cpu->begin_cyc;
	if (c == cpu->callbacks + CALLBACKS_MAX || cost_cyc > COST_MAX_CYC)
		return;
	c->callback = callback;
	c->sum_cyc += cost_cyc;
	c->calls++;
}

static void cost_find_tracepoint(struct tracepoint *tracepoint, void *unused)
{
	if (!strcmp(tracepoint->name, "hrtimer_expire_entry"))
		expire_entry = tracepoint;
}

static const struct {
	void *fn;
	int priority;
} probes[] = {
	{ first_probe, INT_MAX },
	{ empty_probe, INT_MIN + 1 },
	{ last_probe, INT_MIN },
};

static void cost_stop(void)
{
	while (nr_registered)
		tracepoint_probe_unregister(expire_entry, probes[--nr_registered].fn, NULL);
	tracepoint_synchronize_unregister();
}

static int cost_start(void)
{
	int ret = 0, cpu;

	for_each_kernel_tracepoint(cost_find_tracepoint, NULL);
	if (!expire_entry)
		return -ENOENT;
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&costs, cpu), 0, sizeof(costs));
	while (!ret && nr_registered < ARRAY_SIZE(probes)) {
		ret = tracepoint_probe_register_prio(expire_entry, probes[nr_registered].fn, NULL,
						     probes[nr_registered].priority);
		nr_registered += !ret;
	}
	if (ret)
		cost_stop();
	return ret;
}

static int cost_obey(char *line)
{
	bool enable;
	int ret = kstrtobool(line, &enable);

	if (ret)
		return ret;
	cost_stop();
	return enable ? cost_start() : 0;
}

/*
 * A line for each CPU and callback of an hrtimer: the calls, and the cycles from the first probe to
 * the last. Where the clock counts instructions (vm --icount), an instruction takes 1 or 8 cycles.
 */
static int cost_show(struct seq_file *m, void *unused)
{
	int cpu, i;

	for_each_possible_cpu(cpu)
		for (i = 0; i < CALLBACKS_MAX; i++) {
			const struct callback_cost *c = &per_cpu(costs, cpu).callbacks[i];

			if (c->callback)
				seq_printf(m, "%d %ps %llu %llu\n", cpu, c->callback,
					   c->calls, c->sum_cyc);
		}
	return 0;
}

const struct inject_file cost_file = {
	.name = "irqoff_cost",
	.obey = cost_obey,
	.show = cost_show,
	.stop = cost_stop,
};
