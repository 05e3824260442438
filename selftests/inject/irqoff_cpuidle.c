// SPDX-License-Identifier: GPL-2.0
/*
 * irqoff_cpuidle: a cpuidle driver for virtual machines, which have none
 *
 * With it the kernel chooses among idle states as on hardware: its governor predicts how long
 * a CPU sleeps, picks a state whose residency is not longer than that, and may keep the
 * scheduler's tick. No power is saved; what is tested is the choice, which the kernel
 * counts in /sys/devices/system/cpu/cpuN/cpuidle/stateN.
 *
 * Hardware wakes in one of two ways:
 *
 *	hlt	interrupts are on in the idle state: the one that wakes the CPU runs before
 *		anybody learns that the CPU is awake
 *	mwait	interrupts are off: the CPU wakes, leaves the idle state, and only then takes
 *		the interrupt. An emulator has no such mwait, so the CPU polls its
 *		local APIC for an interrupt that is pending.
 *
 * Context: enter functions run in the idle task with interrupts off, all else in process
 * context.
 */
#include <linux/cpuidle.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <asm/apic.h>
#include <asm/processor.h>

/* Interrupts that are pending: 256 bits in registers of 32. */
#define IRR_REGISTERS	8
#define IRR_STRIDE	0x10

static bool mwait;
module_param(mwait, bool, 0644);
MODULE_PARM_DESC(mwait,
		 "Wake with interrupts off; may change (default: on, as with hlt)");

static bool interrupt_pending(void)
{
	int i;

	for (i = 0; i < IRR_REGISTERS; i++)
		if (apic->read(APIC_IRR + i * IRR_STRIDE))
			return true;
	return false;
}

/*
 * Whoever has work for this CPU sends an interrupt: the kernel calls this only after it has
 * said that the CPU does not poll for work.
 */
static int enter(struct cpuidle_device *dev, struct cpuidle_driver *drv,
		 int index)
{
	if (READ_ONCE(mwait))
		while (!interrupt_pending())
			cpu_relax();
	else
		asm volatile("sti; hlt; cli" : : : "memory");
	return index;
}

/* Latency and residency are in microseconds, those of a server of 2017. */
static struct cpuidle_driver driver = {
	.name = "irqoff_cpuidle",
	.owner = THIS_MODULE,
	.states = {
		{
			.name = "C1",
			.desc = "C1",
			.exit_latency = 2,
			.target_residency = 2,
			.enter = enter,
		},
		{
			.name = "C1E",
			.desc = "C1E",
			.exit_latency = 10,
			.target_residency = 600,
			.enter = enter,
		},
		{
			.name = "C6",
			.desc = "C6",
			.exit_latency = 133,
			.target_residency = 1500,
			.enter = enter,
		},
	},
	.state_count = 3,
};

static bool on;

static int on_set(const char *text, const struct kernel_param *param)
{
	bool want;
	int ret = kstrtobool(text, &want);

	if (ret || want == on)
		return ret;
	if (want)
		ret = cpuidle_register(&driver, NULL);
	else
		cpuidle_unregister(&driver);
	if (!ret)
		on = want;
	return ret;
}

static const struct kernel_param_ops on_ops = {
	.set = on_set,
	.get = param_get_bool,
};

/* A device of each CPU holds its driver's module, which can only go when this is off. */
module_param_cb(on, &on_ops, &on, 0644);
MODULE_PARM_DESC(on, "CPUs have these idle states (default: no)");

static int __init irqoff_cpuidle_init(void)
{
	return 0;
}

static void __exit irqoff_cpuidle_exit(void)
{
}

module_init(irqoff_cpuidle_init);
module_exit(irqoff_cpuidle_exit);

MODULE_DESCRIPTION("Idle states for virtual machines, for tests");
MODULE_AUTHOR("The trace_irqoff team");
MODULE_LICENSE("GPL");
