// SPDX-License-Identifier: GPL-2.0
/* A module that the kernel loads to where irqoff_gone was: see gone.c. */
#define GONE_HOLD	else_hold
#include "gone.c"
