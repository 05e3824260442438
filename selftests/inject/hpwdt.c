// SPDX-License-Identifier: GPL-2.0
/*
 * A module with the name of a driver that may panic on an unknown NMI. While the module is loaded,
 * the first PCI device has the IDs that the parameters give: those of an iLO.
 *
 * Context: process.
 */
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/pci.h>

static ushort vendor, device, subsystem_vendor;
module_param(vendor, ushort, 0);
MODULE_PARM_DESC(vendor, "Vendor ID (default: 0, change no device)");
module_param(device, ushort, 0);
MODULE_PARM_DESC(device, "Device ID");
module_param(subsystem_vendor, ushort, 0);
MODULE_PARM_DESC(subsystem_vendor, "Vendor ID of the subsystem");

static struct pci_dev *changed;	/* NULL: no device; its IDs are in the parameters */

static void hpwdt_swap_ids(void)
{
	swap(changed->vendor, vendor);
	swap(changed->device, device);
	swap(changed->subsystem_vendor, subsystem_vendor);
}

static int __init hpwdt_init(void)
{
	if (!vendor)
		return 0;
	changed = pci_get_device(PCI_ANY_ID, PCI_ANY_ID, NULL);
	if (!changed)
		return -ENODEV;
	hpwdt_swap_ids();
	return 0;
}

static void __exit hpwdt_exit(void)
{
	if (!changed)
		return;
	hpwdt_swap_ids();
	pci_dev_put(changed);
}

module_init(hpwdt_init);
module_exit(hpwdt_exit);

MODULE_DESCRIPTION("Module with the name of hpwdt that fakes an iLO, for tests");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
