/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* How to interrupt a CPU that has interrupts off. Other architectures never call this. */
#ifndef TRACE_IRQOFF_NMI_ARCH_H
#define TRACE_IRQOFF_NMI_ARCH_H

#include <linux/kconfig.h>
#include <linux/types.h>

struct pt_regs;

#define NMI_ARCH_SUPPORTED	IS_ENABLED(CONFIG_X86_LOCAL_APIC)

/**
 * nmi_arch_init() - register the NMI handlers
 * @answer: is called for each NMI of any CPU, with the registers of the interrupted context;
 *	returns whether this CPU has been sent one by us
 * @claim: is called for an NMI that no handler has claimed; returns whether it may be ours
 * @reconsider: is called when nmi_arch_risk() may have changed
 *
 * Context: process. The first two are called in NMI, the last one in process.
 */
int nmi_arch_init(bool (*answer)(struct pt_regs *regs), bool (*claim)(void),
		  const char *(*reconsider)(void));

/** nmi_arch_exit() - unregister them. Waits for RCU. Context: process. */
void nmi_arch_exit(void);

/** nmi_arch_send() - send an NMI to a CPU that is online. Context: hardirq. */
void nmi_arch_send(int cpu);

/** nmi_arch_risk() - Return: a driver that may panic on an unclaimed NMI, or NULL. Process. */
const char *nmi_arch_risk(void);

#endif /* TRACE_IRQOFF_NMI_ARCH_H */
