// SPDX-License-Identifier: GPL-2.0
/*
 * A module with the name and the parameter of a driver that may panic on an unknown NMI. It does
 * nothing. Context: process.
 */
#include <linux/delay.h>
#include <linux/module.h>

static char preaction[16] = "pre_none";
module_param_string(preaction, preaction, sizeof(preaction), 0644);
MODULE_PARM_DESC(preaction, "Same as the parameter of the driver");

static int slow_set(const char *text, const struct kernel_param *param)
{
	msleep(1500);
	return 0;
}

static const struct kernel_param_ops slow_ops = {
	.set = slow_set,
};

/* The kernel parses parameters before the module has its directory in sysfs. */
module_param_cb(slow, &slow_ops, NULL, 0);
MODULE_PARM_DESC(slow, "Loading takes longer");

MODULE_DESCRIPTION("Empty module with the name of ipmi_watchdog, for tests");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
