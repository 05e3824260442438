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
#include <linux/kcsan-checks.h>
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/string.h>

#include <asm/apic.h>
#include <asm/nmi.h>

#include "nmi.h"

#define NAME		"trace_irqoff"
#define NAME_STRAY	"trace_irqoff_stray"

static const struct nmi_user *nmi_user;

static struct {
	bool local;
	bool stray;
} registered[NMI_SETS];

/*
 * They register for unknown NMIs, of which a stray of ours is one, and some boards'
 * variants of them take each for the last gasp of the hardware. The kernel calls all that
 * have registered, in whatever order.
 */
static const struct {
	const char *name;
	const char *risk;
} drivers[] = {
	{ "hpwdt",		"hpwdt is loaded" },
	{ "ipmi_watchdog",	"ipmi_watchdog is loaded" },
};

static bool is_loaded(const char *name)
{
	struct kset *modules = THIS_MODULE->mkobj.kobj.kset;
	struct kobject *found = modules ? kset_find_obj(modules, name) : NULL;

	kobject_put(found);
	return found;
}

const char *nmi_risk(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(drivers); i++)
		if (name ? !strcmp(name, drivers[i].name) :
			   is_loaded(drivers[i].name))
			return drivers[i].risk;
	return NULL;
}

/*
 * KCSAN waits for its own lock to report a race: for ever, in an NMI that has come while this CPU
 * reports another one. So it looks at nothing that is done here.
 */
static int handler(unsigned int type, struct pt_regs *regs)
{
	bool ours;

	kcsan_disable_current();
	ours = nmi_user->handle(regs);
	kcsan_enable_current();
	return ours ? NMI_HANDLED : NMI_DONE;
}

static int stray_handler(unsigned int type, struct pt_regs *regs)
{
	bool ours;

	kcsan_disable_current();
	ours = nmi_user->handle_stray();
	kcsan_enable_current();
	return ours ? NMI_HANDLED : NMI_DONE;
}

/* Each use of register_nmi_handler() is one that can be in once, and the name is its key. */
int nmi_attach(int set, const struct nmi_user *user)
{
	int ret;

	nmi_user = user;
	ret = set ? register_nmi_handler(NMI_UNKNOWN, stray_handler, 0,
					 NAME_STRAY "_1") :
		    register_nmi_handler(NMI_UNKNOWN, stray_handler, 0,
					 NAME_STRAY "_0");
	registered[set].stray = !ret;
	if (!ret)
		ret = set ? register_nmi_handler(NMI_LOCAL, handler, 0,
						 NAME "_1") :
			    register_nmi_handler(NMI_LOCAL, handler, 0,
						 NAME "_0");
	registered[set].local = !ret;
	return ret;
}

void nmi_detach(int set)
{
	if (registered[set].local)
		unregister_nmi_handler(NMI_LOCAL, set ? NAME "_1" : NAME "_0");
	if (registered[set].stray)
		unregister_nmi_handler(NMI_UNKNOWN, set ? NAME_STRAY "_1" :
							  NAME_STRAY "_0");
	registered[set].local = false;
	registered[set].stray = false;
}

void nmi_send(int cpu)
{
	apic->send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
}
