// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * NMIs on x86, sent by the local APIC. The sender of an NMI is unknown: each NMI calls each handler
 * of NMI_LOCAL. An NMI of perf that comes just before ours makes our handler answer the request.
 * No handler claims our own NMI, which comes next: the kernel reports it as unknown, or panics with
 * unknown_nmi_panic=1. So a handler of NMI_UNKNOWN claims that NMI. Context: see nmi.h.
 */
#include <linux/bitops.h>
#include <linux/kcsan-checks.h>
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/notifier.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <asm/apic.h>
#include <asm/hypervisor.h>
#include <asm/nmi.h>

#include "detect/nmi.h"

/*
 * Drivers with a handler of NMI_UNKNOWN that panics. The kernel calls all these handlers, even if
 * ours claims the NMI.
 */
enum driver { HPWDT, IPMI_WATCHDOG, NR_DRIVERS };

static const char * const driver_names[NR_DRIVERS] = { "hpwdt", "ipmi_watchdog" };

/* Bits: drivers that are being loaded. kset_find_obj() does not find these modules yet. */
static unsigned long loading_drivers;

/*
 * hpwdt ignores an NMI that its iLO did not raise: on iLO 5, which the subsystem vendor ID
 * identifies, and since commit dced0b3e51dd (of December 2023) on all. Whether the kernel has this
 * commit is unknown, so any older iLO is a risk.
 */
static bool hpwdt_may_panic(void)
{
	struct pci_dev *device = NULL;

	for_each_pci_dev(device)
		if (((device->vendor == PCI_VENDOR_ID_COMPAQ && device->device == 0xb203) ||
		     (device->vendor == PCI_VENDOR_ID_HP && device->device == 0x3306)) &&
		    device->subsystem_vendor != PCI_VENDOR_ID_HP_3PAR)
			break;
	pci_dev_put(device);
	return device;
}

/* ipmi_watchdog panics if its parameter preaction makes the board's pre-timeout an NMI. */
static bool ipmi_watchdog_may_panic(struct module *module)
{
	char *value = kzalloc(PAGE_SIZE, GFP_KERNEL);
	bool nmi = !value;	/* unknown: take no risk */
	unsigned int i;

	kernel_param_lock(module);
	for (i = 0; value && i < module->num_kp; i++) {
		const struct kernel_param *param = &module->kp[i];

		if (!strcmp(param->name, "preaction") && param->ops->get)
			nmi = param->ops->get(value, param) <= 0 || strstarts(value, "pre_nmi");
	}
	kernel_param_unlock(module);
	kfree(value);
	return nmi;
}

static bool driver_may_panic(enum driver driver)
{
	struct kset *modules = THIS_MODULE->mkobj.kobj.kset;
	struct kobject *found;
	bool may = test_bit(driver, &loading_drivers);

	/* The module may be unloaded meanwhile, but the reference keeps its memory. */
	found = modules ? kset_find_obj(modules, driver_names[driver]) : NULL;
	if (found && !may) {
		struct module *module = container_of(found, struct module_kobject, kobj)->mod;

		/* A built-in driver has no module, and its parameters cannot be found. */
		may = driver == HPWDT ? hpwdt_may_panic() :
		      !module || ipmi_watchdog_may_panic(module);
	}
	kobject_put(found);
	return may;
}

/*
 * On Hyper-V, hv_nmi_unknown() is called first: with unknown_nmi_panic=1, it lets only the first
 * unknown NMI since boot panic, even if that NMI is one that we claim (6.1, 7.3: mshyperv.c).
 */
const char *nmi_arch_risk(void)
{
	enum driver driver;

	if (hypervisor_is_type(X86_HYPER_MS_HYPERV))
		return "hyperv";
	for (driver = 0; driver < NR_DRIVERS; driver++)
		if (driver_may_panic(driver))
			return driver_names[driver];
	return NULL;
}

static int nmi_x86_on_module(struct notifier_block *block, unsigned long state, void *data)
{
	const struct module *module = data;
	enum driver driver;

	for (driver = 0; driver < NR_DRIVERS; driver++) {
		if (strcmp(module->name, driver_names[driver]))
			continue;
		assign_bit(driver, &loading_drivers, state == MODULE_STATE_COMING);
		nmi_obstacle();
	}
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = { .notifier_call = nmi_x86_on_module };

/*
 * KCSAN must ignore the handlers: to report a race it spins for a lock, which the code that the NMI
 * has interrupted may hold.
 */
static int nmi_x86_handler(unsigned int type, struct pt_regs *regs)
{
	bool ours;

	kcsan_disable_current();
	ours = type == NMI_UNKNOWN ? nmi_claim() : nmi_answer(regs);
	kcsan_enable_current();
	return ours ? NMI_HANDLED : NMI_DONE;
}

int nmi_arch_init(void)
{
	int ret = register_module_notifier(&module_notifier) ?:
		  register_nmi_handler(NMI_UNKNOWN, nmi_x86_handler, 0, KBUILD_MODNAME) ?:
		  register_nmi_handler(NMI_LOCAL, nmi_x86_handler, 0, KBUILD_MODNAME);

	if (ret)
		nmi_arch_exit();
	return ret;
}

/* To unregister what is not registered does nothing. */
void nmi_arch_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, KBUILD_MODNAME);
	unregister_nmi_handler(NMI_UNKNOWN, KBUILD_MODNAME);
	unregister_module_notifier(&module_notifier);
}

void nmi_arch_send(int cpu)
{
	apic->send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
}
