/* SPDX-License-Identifier: GPL-2.0 */
/* How to make another CPU run a function although it has interrupts off. */
#ifndef TRACE_IRQOFF_NMI_H
#define TRACE_IRQOFF_NMI_H

#include <linux/errno.h>
#include <linux/types.h>

struct pt_regs;

/* Of each handler there are two, so that one can be put in while the other still goes. */
#define NMI_SETS	2

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

#ifdef CONFIG_X86_LOCAL_APIC

#define NMI_SUPPORTED	true

/**
 * nmi_attach() - be called for NMIs from now on, in NMI context
 * @set: by this set of handlers, which is not in use
 *
 * Waits for nobody. When it fails, nmi_detach() still has to be called.
 */
int nmi_attach(int set, const struct nmi_user *user);

/** nmi_detach() - not by this set any more, as far as it was. Waits for RCU. */
void nmi_detach(int set);

/**
 * nmi_risk() - drivers that may panic on an NMI that they do not know
 * @name: of a module that is just being loaded, or NULL for all that are there
 *
 * Context: process. Return: what is the matter, or NULL.
 */
const char *nmi_risk(const char *name);

/** nmi_send() - send one to a CPU that is online. Context: hardirq. */
void nmi_send(int cpu);

#else

#define NMI_SUPPORTED	false

static inline int nmi_attach(int set, const struct nmi_user *user)
{
	return -EOPNOTSUPP;
}

static inline void nmi_detach(int set)
{
}

static inline const char *nmi_risk(const char *name)
{
	return NULL;
}

static inline void nmi_send(int cpu)
{
}

#endif

#endif /* TRACE_IRQOFF_NMI_H */
