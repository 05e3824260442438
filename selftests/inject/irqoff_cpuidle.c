// SPDX-License-Identifier: GPL-2.0
/*
 * A cpuidle driver for virtual machines, which have none. The kernel then chooses among idle states
 * as on hardware, and may keep the scheduler's tick on. No power is saved.
 *
 * Context: process; irqoff_cpuidle_enter() runs in the idle task with interrupts off.
 */
#include <linux/cpuidle.h>
#include <linux/kernel.h>
#include <linux/module.h>
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
	if (READ_ONCE(mwait)) {
		while (!interrupt_pending())
			cpu_relax();
		return index;
	}

	asm volatile("sti; hlt; cli" : : : "memory");
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

MODULE_DESCRIPTION("Idle states for virtual machines, for tests");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
