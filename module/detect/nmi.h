/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Samples a CPU that is stuck, by NMI: of a watcher (nmi.c), or of a cycle counter (counter.c). */
#ifndef TRACE_IRQOFF_NMI_H
#define TRACE_IRQOFF_NMI_H

#include <linux/kconfig.h>
#include <linux/types.h>

#include "record/window.h"

struct cpumask;
struct pt_regs;

/* NMIs since the module was loaded. */
struct nmi_counts {
	u64 sent;	/* to CPUs that were stuck */
	u64 taken;	/* requests that the CPUs have answered */
	u64 late;	/* answers that added no sample */
};

/**
 * nmi_setup() - register the NMI handlers
 * @mode: 0: send no NMIs; 1: send them; below 0: send them unless they may do harm: nmi_arch_risk()
 *
 * Context: process. Return: 0, even if no NMI can be sent, or -ENOMEM.
 */
int nmi_setup(int mode);

/**
 * nmi_teardown() - unregister the NMI handlers, when no CPU is checked any more
 *
 * Waits for NMIs on their way, and for RCU. Context: process.
 */
void nmi_teardown(void);

/** nmi_enable() - start or stop to send NMIs. Context: process, one caller at a time. */
void nmi_enable(bool enable);

/**
 * nmi_obstacle() - look for a reason to send no NMIs, and send none while there is one
 *
 * Called again when nmi_arch_risk() may have changed. Context: process. Return: the reason, or
 * NULL.
 */
const char *nmi_obstacle(void);

/**
 * nmi_request() - send an NMI to a CPU whose window is open, unless an NMI is on its way
 *
 * Context: hardirq, with the lock of the CPU's group. Return: whether an NMI was sent.
 */
bool nmi_request(int cpu);

/** nmi_is_on() - Return: whether NMIs can be sent now. Any context. */
bool nmi_is_on(void);

/** nmi_is_sampling() - Return: whether an NMI handler uses the window of a CPU. Hardirq. */
bool nmi_is_sampling(int cpu);

/** nmi_sample_self() - this CPU is stuck since @began_ns: sample it in an NMI of its own. NMI. */
void nmi_sample_self(u64 began_ns, u64 now, struct pt_regs *regs);

/** nmi_sample_in_tick() - sample in a tick in a softirq of the idle task. Context: hardirq. */
void nmi_sample_in_tick(u64 now);

/** nmi_cpu_online() - forget a request from before the CPU went offline. Context: process. */
void nmi_cpu_online(int cpu);

/** check_window() - Return: the window that watchers open for a CPU. Any context. */
struct window *check_window(int cpu);

/** nmi_count_all() - add up all CPUs. Any context. */
void nmi_count_all(struct nmi_counts *counts);

/*
 * An architecture whose CPUs can send each other NMIs offers nmi_arch_*(), and calls nmi_answer()
 * and nmi_claim().
 */
#define NMI_ARCH_SUPPORTED	IS_ENABLED(CONFIG_X86_64)

/** nmi_arch_init() - register the NMI handlers. Context: process. Return: 0 or -errno. */
int nmi_arch_init(void);

/** nmi_arch_exit() - unregister the NMI handlers. Waits for RCU. Context: process. */
void nmi_arch_exit(void);

/** nmi_arch_send() - send an NMI to a CPU that is online. Context: hardirq. */
void nmi_arch_send(int cpu);

/** nmi_arch_risk() - Return: a driver or hypervisor to which NMIs do harm, or NULL. Process. */
const char *nmi_arch_risk(void);

/** nmi_answer() - called in each NMI. Return: whether a watcher has sent this CPU an NMI. */
bool nmi_answer(struct pt_regs *regs);

/** nmi_claim() - called in each NMI that no handler has claimed. Return: whether it may be ours. */
bool nmi_claim(void);

/* Only on arm64, whose CPUs cannot send each other NMIs. */
#define COUNTER_SUPPORTED	IS_ENABLED(CONFIG_ARM64)

/* With fewer cycles from one NMI to the next, a slow CPU would do little else. */
#define COUNTER_CYCLES_MIN	100000

/**
 * counter_init() - to be called before counter_enable()
 * @period_cyc: cycles from one NMI to the next, at least COUNTER_CYCLES_MIN; 0: no NMIs
 *
 * Context: process, as the functions below.
 */
void counter_init(u64 period_cyc);

/** counter_exit() - after counter_enable() of no CPUs. Waits for RCU, and for all CPUs. */
void counter_exit(void);

/** counter_enable() - count on @cpus, and on no others, after the next RCU grace period */
void counter_enable(const struct cpumask *cpus);

/** counter_cpu_online() - a CPU comes online, and needs a counter if it is to be monitored */
void counter_cpu_online(void);

/** counter_state() - Return: "on", "on, but not on all CPUs", or "off" and why. */
const char *counter_state(void);

/** counter_nr_nmis() - Return: number of NMIs since the module was loaded. Any context. */
u64 counter_nr_nmis(void);

#endif /* TRACE_IRQOFF_NMI_H */
