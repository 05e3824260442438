// SPDX-License-Identifier: GPL-2.0
/*
 * A window that the kernel accounts as stolen time: as if a hypervisor had run other VMs meanwhile.
 *
 * Context: process, on the CPU of @w.
 */
#include <linux/kernel_stat.h>

#include "spend.h"
#include "window.h"

/*
 * No emulator reports stolen time, so add it to the kernel's statistics, before the tick that ends
 * the window.
 */
noinline __noclone void inject_steal(struct inject_window *w)
{
	local_irq_disable();
	inject_spend(w);
	kcpustat_this_cpu->cpustat[CPUTIME_STEAL] += w->end_ns - w->start_ns;
	local_irq_enable();
	inject_linger();
}
