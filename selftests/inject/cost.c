// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * How long the probes of the tracepoint hrtimer_expire_entry take.
 *
 *	echo on > /proc/irqoff_cost
 *
 * registers a probe that runs before all others and a probe that runs after them. The file has a
 * line for each CPU and callback of an hrtimer: the number of calls, and the cycles from the first
 * probe to the last. Where the clock counts instructions (vm --icount), an instruction takes 1 or 8
 * cycles. An empty probe runs between the two: subtract what is measured without other probes.
 *
 * Context: the probes run in hardirq or softirq, all else in process context.
 */
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/timex.h>
#include <linux/tracepoint.h>
#include <trace/events/timer.h>

#include "../../module/compat.h"
#include "cost.h"
#include "file.h"

#define CALLBACKS_MAX	16
#define CYCLES_MAX	8000	/* longer: the emulator ran another CPU meanwhile */

struct callback_cost {
	void *callback;
	u64 calls;
	u64 cycles;
};

/* Written by the CPU itself. If a hard timer interrupts a soft one, a call is measured wrong. */
struct cpu_cost {
	cycles_t begin;
	struct callback_cost callbacks[CALLBACKS_MAX];
};

static DEFINE_PER_CPU(struct cpu_cost, costs);
static DEFINE_MUTEX(cost_mutex);
static struct tracepoint *expire_entry;
static unsigned int nr_probes;	/* registered */

static void first_probe(void *unused, struct hrtimer *timer, COMPAT_EXPIRE_NOW)
{
	this_cpu_write(costs.begin, get_cycles());
}

static void empty_probe(void *unused, struct hrtimer *timer, COMPAT_EXPIRE_NOW)
{
}

static void last_probe(void *unused, struct hrtimer *timer, COMPAT_EXPIRE_NOW)
{
	cycles_t end = get_cycles();
	struct cpu_cost *cpu = this_cpu_ptr(&costs);
	void *callback = ACCESS_PRIVATE(timer, function);
	struct callback_cost *c = cpu->callbacks;

	while (c < cpu->callbacks + CALLBACKS_MAX && c->callback && c->callback != callback)
		c++;
	end -= cpu->begin;
	if (c == cpu->callbacks + CALLBACKS_MAX || end > CYCLES_MAX)
		return;
	c->callback = callback;
	c->cycles += end;
	c->calls++;
}

static void find_tracepoint(struct tracepoint *tracepoint, void *unused)
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

static void stop(void)
{
	while (nr_probes)
		tracepoint_probe_unregister(expire_entry, probes[--nr_probes].fn, NULL);
	tracepoint_synchronize_unregister();
}

static int start(void)
{
	int ret = 0, cpu;

	for_each_kernel_tracepoint(find_tracepoint, NULL);
	if (!expire_entry)
		return -ENOENT;
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&costs, cpu), 0, sizeof(costs));
	while (!ret && nr_probes < ARRAY_SIZE(probes)) {
		ret = tracepoint_probe_register_prio(expire_entry, probes[nr_probes].fn, NULL,
						     probes[nr_probes].priority);
		nr_probes += !ret;
	}
	if (ret)
		stop();
	return ret;
}

static int obey(char *line)
{
	bool want;
	int ret = kstrtobool(line, &want);

	if (ret)
		return ret;
	mutex_lock(&cost_mutex);
	stop();
	if (want)
		ret = start();
	mutex_unlock(&cost_mutex);
	return ret;
}

static int show(struct seq_file *m, void *unused)
{
	int cpu, i;

	for_each_possible_cpu(cpu)
		for (i = 0; i < CALLBACKS_MAX; i++) {
			const struct callback_cost *c = &per_cpu(costs, cpu).callbacks[i];

			if (c->callback)
				seq_printf(m, "%d %ps %llu %llu\n", cpu, c->callback,
					   c->calls, c->cycles);
		}
	return 0;
}

static const struct inject_file cost_file = {
	.name = "irqoff_cost",
	.obey = obey,
	.show = show,
};

int cost_init(void)
{
	return inject_file_create(&cost_file);
}

void cost_exit(void)
{
	inject_file_remove(&cost_file);
	stop();
}
