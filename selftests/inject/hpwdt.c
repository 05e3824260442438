// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/* An empty module with the name of a driver that may panic on an unknown NMI. */
#include <linux/module.h>

MODULE_DESCRIPTION("Empty module with the name of hpwdt, for tests");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
