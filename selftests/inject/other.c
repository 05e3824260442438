// SPDX-License-Identifier: GPL-2.0
/*
 * A module that comes to lie where another one was: see gone.c
 */
#define GONE_HOLD	else_hold
#define GONE_INIT	else_init
#include "gone.c"
