// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * A cpuidle driver for virtual machines, which have none. The kernel then chooses among idle states
 * as on hardware, and may keep the scheduler's tick on. No power is saved.
 *
 * Context: irqoff_cpuidle_enter() runs in the idle task with interrupts off,
 * irqoff_cpuidle_timer() in hardirq, all else in process context.
 */
#include <linux/cpuidle.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/timex.h>
#include <linux/tracepoint.h>
#include <asm/apic.h>
#include <asm/processor.h>

/* Pending interrupts of the local APIC: 256 bits in registers of 32. */
#define IRR_REGISTERS	8
#define IRR_STRIDE	0x10

/*
 * hlt	interrupts are on in the idle state: the interrupt that wakes the CPU runs before the
 *	CPU leaves the idle state
 * mwait	interrupts are off: the CPU leaves the idle state, and then takes the interrupt. An
 *	emulator cannot do that, so the CPU polls its local APIC for a pending interrupt.
 */
static bool mwait;
module_param(mwait, bool, 0644);
MODULE_PARM_DESC(mwait, "Wake with interrupts off, as mwait (default: no, as hlt)");

/**
 * struct awake_time - wake-ups of one CPU with hlt, written by that CPU
 * @since_cyc: get_cycles() at the timer interrupt that woke it; 0: idle, or woken otherwise
 * @in_state: the CPU is in an idle state
 * @sum_cyc: time from all timer interrupts that woke it until it entered an idle state again
 * @wake_ups: number of these wake-ups
 */
struct awake_time {
	cycles_t since_cyc;
	bool in_state;
	u64 sum_cyc;
	u64 wake_ups;
};

static DEFINE_PER_CPU(struct awake_time, awake_times);

static void irqoff_cpuidle_timer(void *unused, int vector)
{
	struct awake_time *a = this_cpu_ptr(&awake_times);

	if (a->in_state && !a->since_cyc)
		a->since_cyc = get_cycles();
}

static bool interrupt_pending(void)
{
	int i;

	for (i = 0; i < IRR_REGISTERS; i++)
		if (apic->read(APIC_IRR + i * IRR_STRIDE))
			return true;
	return false;
}

/*
 * Polling for interrupts is enough: the kernel has cleared TIF_POLLING_NRFLAG, so work for this CPU
 * always comes with an interrupt.
 */
static int irqoff_cpuidle_enter(struct cpuidle_device *dev, struct cpuidle_driver *drv, int index)
{
	struct awake_time *a = this_cpu_ptr(&awake_times);

	if (READ_ONCE(mwait)) {
		while (!interrupt_pending())
			cpu_relax();
		return index;
	}

	if (a->since_cyc) {
		WRITE_ONCE(a->sum_cyc, a->sum_cyc + get_cycles() - a->since_cyc);
		WRITE_ONCE(a->wake_ups, a->wake_ups + 1);
		a->since_cyc = 0;
	}
	a->in_state = true;
	asm volatile("sti; hlt; cli" : : : "memory");
	a->in_state = false;
	return index;
}

#define STATE(state_name, latency_us, residency_us) {	\
	.name = (state_name),				\
	.exit_latency = (latency_us),			\
	.target_residency = (residency_us),		\
	.enter = irqoff_cpuidle_enter,			\
}

/* The times of a server of 2017. */
static struct cpuidle_driver driver = {
	.name = "irqoff_cpuidle",
	.owner = THIS_MODULE,
	.states = {
		STATE("C1", 2, 2),
		STATE("C1E", 10, 600),
		STATE("C6", 133, 1500),
	},
	.state_count = 3,
};

static bool on;

static int on_set(const char *text, const struct kernel_param *param)
{
	bool enable;
	int ret = kstrtobool(text, &enable);

	if (ret || enable == on)
		return ret;
	if (enable)
		ret = cpuidle_register(&driver, NULL);
	else
		cpuidle_unregister(&driver);
	if (!ret)
		on = enable;
	return ret;
}

static const struct kernel_param_ops on_ops = {
	.set = on_set,
	.get = param_get_bool,
};

/* While this is enabled, each CPU's cpuidle device holds a reference to this module. */
module_param_cb(on, &on_ops, &on, 0644);
MODULE_PARM_DESC(on, "CPUs have these idle states; disable before an unload (default: no)");

/* A line for each CPU: cycles awake, and number of wake-ups. */
static int awake_get(char *text, const struct kernel_param *param)
{
	int cpu, length = 0;

	for_each_possible_cpu(cpu) {
		const struct awake_time *a = per_cpu_ptr(&awake_times, cpu);

		length += scnprintf(text + length, PAGE_SIZE - length, "%llu %llu\n",
				    READ_ONCE(a->sum_cyc), READ_ONCE(a->wake_ups));
	}
	return length;
}

static const struct kernel_param_ops awake_ops = {
	.get = awake_get,
};

module_param_cb(awake, &awake_ops, NULL, 0444);
MODULE_PARM_DESC(awake, "Cycles awake after timer interrupts, and how often, with hlt");

static struct tracepoint *timer_entry;

static void irqoff_cpuidle_find(struct tracepoint *tracepoint, void *unused)
{
	if (!strcmp(tracepoint->name, "local_timer_entry"))
		timer_entry = tracepoint;
}

static int __init irqoff_cpuidle_init(void)
{
	for_each_kernel_tracepoint(irqoff_cpuidle_find, NULL);
	if (!timer_entry)
		return -ENOENT;
	return tracepoint_probe_register(timer_entry, irqoff_cpuidle_timer, NULL);
}

static void __exit irqoff_cpuidle_exit(void)
{
	tracepoint_probe_unregister(timer_entry, irqoff_cpuidle_timer, NULL);
	tracepoint_synchronize_unregister();
}

module_init(irqoff_cpuidle_init);
module_exit(irqoff_cpuidle_exit);

MODULE_DESCRIPTION("Idle states for virtual machines, for tests");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
