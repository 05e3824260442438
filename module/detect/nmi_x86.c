// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * NMIs on x86, by way of the local APIC.
 *
 * An NMI does not say who sent it: each handler of NMI_LOCAL is called for each NMI. If an NMI of
 * others (perf, a backtrace of all CPUs) comes just before ours, our handler answers the request
 * then. No handler has a reason for our own NMI, which comes next: the kernel complains of an
 * unknown NMI, and panics with unknown_nmi_panic=1. So there is a handler for unknown NMIs as well.
 *
 * Context: the handlers run in NMI; see nmi_arch.h for the others.
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
#include <asm/nmi.h>

#include "detect/nmi_arch.h"

#define NAME		"trace_irqoff"
#define NAME_UNKNOWN	"trace_irqoff_unknown"

static bool (*nmi_answer)(struct pt_regs *regs);
static bool (*nmi_claim)(void);
static const char *(*nmi_reconsider)(void);

/*
 * Two drivers have handlers for unknown NMIs that panic. The kernel calls all handlers,
 * whether or not ours claims the NMI.
 */
enum driver { HPWDT, IPMI_WATCHDOG, NR_DRIVERS };

static const char * const driver_names[NR_DRIVERS] = { "hpwdt", "ipmi_watchdog" };

/* Drivers that are being loaded: their parameters and devices are not known yet. */
static unsigned long loading;

/*
 * hpwdt returns for an NMI that its iLO did not raise, but up to 5.x (commit dced0b3e51dd) only
 * on iLO 5, which HPE's subsystem vendor ID marks.
 */
static bool hpwdt_may_panic(void)
{
	static const unsigned int ids[][2] = {
		{ PCI_VENDOR_ID_COMPAQ, 0xb203 },
		{ PCI_VENDOR_ID_HP, 0x3306 },
	};
	struct pci_dev *device = NULL;
	int i;

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		while ((device = pci_get_device(ids[i][0], ids[i][1], device))) {
			if (device->subsystem_vendor == PCI_VENDOR_ID_HP_3PAR)
				continue;
			pci_dev_put(device);
			return true;
		}
	}
	return false;
}

/* ipmi_watchdog panics if its parameter says that the board's pre-timeout is an NMI. */
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

static bool may_panic(enum driver driver)
{
	struct kset *modules = THIS_MODULE->mkobj.kobj.kset;
	struct kobject *found;
	bool may = test_bit(driver, &loading);

	/* The reference keeps the module's memory, though not the module, from going. */
	found = modules ? kset_find_obj(modules, driver_names[driver]) : NULL;
	if (found && !may) {
		struct module *module = container_of(found, struct module_kobject, kobj)->mod;

		/* A driver that is built in has no module to ask. */
		may = driver == HPWDT ? hpwdt_may_panic() :
		      !module || ipmi_watchdog_may_panic(module);
	}
	kobject_put(found);
	return may;
}

const char *nmi_arch_risk(void)
{
	enum driver driver;

	for (driver = 0; driver < NR_DRIVERS; driver++)
		if (may_panic(driver))
			return driver_names[driver];
	return NULL;
}

/*
 * A module has no directory in sysfs yet when it starts to load: kset_find_obj() does not find it.
 * So the flag says that it comes, until its parameters are known.
 */
static int module_changes(struct notifier_block *block, unsigned long state, void *data)
{
	const struct module *module = data;
	enum driver driver;

	for (driver = 0; driver < NR_DRIVERS; driver++) {
		if (strcmp(module->name, driver_names[driver]))
			continue;
		if (state == MODULE_STATE_COMING)
			set_bit(driver, &loading);
		else
			clear_bit(driver, &loading);
		nmi_reconsider();
	}
	return NOTIFY_OK;
}

static struct notifier_block modules = { .notifier_call = module_changes };

/*
 * KCSAN waits for its own lock to report a race: for ever, if the NMI has interrupted this CPU
 * while it reports another race. So KCSAN ignores what the handlers do.
 */
static int handler(unsigned int type, struct pt_regs *regs)
{
	bool ours;

	kcsan_disable_current();
	ours = type == NMI_UNKNOWN ? nmi_claim() : nmi_answer(regs);
	kcsan_enable_current();
	return ours ? NMI_HANDLED : NMI_DONE;
}

int nmi_arch_init(bool (*answer)(struct pt_regs *regs), bool (*claim)(void),
		  const char *(*reconsider)(void))
{
	int ret;

	nmi_answer = answer;
	nmi_claim = claim;
	nmi_reconsider = reconsider;
	ret = register_module_notifier(&modules);
	if (ret)
		return ret;
	ret = register_nmi_handler(NMI_UNKNOWN, handler, 0, NAME_UNKNOWN);
	if (ret)
		goto notifier;
	ret = register_nmi_handler(NMI_LOCAL, handler, 0, NAME);
	if (ret)
		goto unknown;
	return 0;

unknown:
	unregister_nmi_handler(NMI_UNKNOWN, NAME_UNKNOWN);
notifier:
	unregister_module_notifier(&modules);
	return ret;
}

void nmi_arch_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, NAME);
	unregister_nmi_handler(NMI_UNKNOWN, NAME_UNKNOWN);
	unregister_module_notifier(&modules);
}

void nmi_arch_send(int cpu)
{
	apic->send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
}
