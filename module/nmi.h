/* SPDX-License-Identifier: GPL-2.0 */
/* How to make another CPU run a function although it has interrupts off. */
#ifndef TRACE_IRQOFF_NMI_H
#define TRACE_IRQOFF_NMI_H

#include <linux/errno.h>
#include <linux/types.h>

struct pt_regs;

#ifdef CONFIG_X86_LOCAL_APIC

#define NMI_SUPPORTED	true

/**
 * struct nmi_user - whom to call on NMIs
 * @handle: is called on each NMI of any CPU, with the registers of what was
 *	interrupted; returns whether it had been asked for
 * @handle_stray: is called on an NMI that nobody has claimed; returns whether it
 *	may be one of ours
 */
struct nmi_user {
	bool (*handle)(struct pt_regs *regs);
	bool (*handle_stray)(void);
};

/** nmi_init() - be called for NMIs from now on, in NMI context. */
int nmi_init(const struct nmi_user *user);

/** nmi_exit() - not any more. Waits until no call is under way. */
void nmi_exit(void);

/** nmi_send() - send one to a CPU that is online. Context: hardirq. */
void nmi_send(int cpu);

#else

#define NMI_SUPPORTED	false

static inline int nmi_init(const struct nmi_user *user)
{
	return -EOPNOTSUPP;
}

static inline void nmi_exit(void)
{
}

static inline void nmi_send(int cpu)
{
}

#endif

#endif /* TRACE_IRQOFF_NMI_H */
