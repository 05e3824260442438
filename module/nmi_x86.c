// SPDX-License-Identifier: GPL-2.0
/*
 * NMIs on x86, by way of the local APIC. All that it takes is exported, since 5.10
 * and before.
 *
 * Context: handler() in NMI, nmi_send() in hardirq, the others in process context.
 */
#include <asm/apic.h>
#include <asm/nmi.h>

#include "nmi.h"

#define NAME	"trace_irqoff"

static bool (*handle_nmi)(struct pt_regs *regs);

/*
 * Others share the NMI (perf, backtraces of all CPUs, the firmware). One that we did
 * not ask for is left to them.
 */
static int handler(unsigned int type, struct pt_regs *regs)
{
	return handle_nmi(regs) ? NMI_HANDLED : NMI_DONE;
}

int nmi_init(bool (*handle)(struct pt_regs *regs))
{
	handle_nmi = handle;
	return register_nmi_handler(NMI_LOCAL, handler, 0, NAME);
}

void nmi_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, NAME);
}

void nmi_send(int cpu)
{
	apic->send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
}
