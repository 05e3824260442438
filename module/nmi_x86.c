// SPDX-License-Identifier: GPL-2.0
/*
 * NMIs on x86, by way of the local APIC. All that it takes is exported, since 5.10
 * and before.
 *
 * NMIs say nothing of who sent them: each handler of NMI_LOCAL is called for each one.
 * When one of others (perf, a backtrace of all CPUs) comes just before ours, we answer
 * our request then and there, and nobody waits for ours any more when it comes. The
 * kernel would complain of an unknown NMI, and panic where it is told to. So there
 * is a handler for unknown ones too.
 *
 * Context: the handlers run in NMI, nmi_send() in hardirq, the others in process.
 */
#include <asm/apic.h>
#include <asm/nmi.h>

#include "nmi.h"

#define NAME		"trace_irqoff"
#define NAME_STRAY	"trace_irqoff_stray"

static const struct nmi_user *nmi_user;

static int handler(unsigned int type, struct pt_regs *regs)
{
	return nmi_user->handle(regs) ? NMI_HANDLED : NMI_DONE;
}

static int stray_handler(unsigned int type, struct pt_regs *regs)
{
	return nmi_user->handle_stray() ? NMI_HANDLED : NMI_DONE;
}

int nmi_init(const struct nmi_user *user)
{
	int ret;

	nmi_user = user;
	ret = register_nmi_handler(NMI_UNKNOWN, stray_handler, 0, NAME_STRAY);
	if (ret)
		return ret;

	ret = register_nmi_handler(NMI_LOCAL, handler, 0, NAME);
	if (ret)
		unregister_nmi_handler(NMI_UNKNOWN, NAME_STRAY);
	return ret;
}

void nmi_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, NAME);
	unregister_nmi_handler(NMI_UNKNOWN, NAME_STRAY);
}

void nmi_send(int cpu)
{
	apic->send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
}
