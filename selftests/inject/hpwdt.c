// SPDX-License-Identifier: GPL-2.0
/*
 * A module with the name of a driver that may panic on an unknown NMI. It does nothing.
 */
#include <linux/module.h>

static int __init hpwdt_init(void)
{
	return 0;
}

static void __exit hpwdt_exit(void)
{
}

module_init(hpwdt_init);
module_exit(hpwdt_exit);

MODULE_DESCRIPTION("Has the name of hpwdt, for tests");
MODULE_LICENSE("GPL");
