// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * A watcher sends a stuck CPU a request and an NMI. The handler answers: it adds a sample of what
 * the NMI has interrupted to the window. Context: see nmi.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <asm/irq_regs.h>

#include "compat.h"
#include "detect/nmi.h"
#include "detect/tick.h"
#include "detect/watch.h"

/*
 * A request that is unanswered for LOST_NS may be repeated. An NMI that no other handler claims is
 * assumed to be ours if this CPU has answered a request within LOST_NS.
 */
#define LOST_NS		NSEC_PER_SEC

/*
 * A CPU answers an NMI at once, even with interrupts off. If an answer takes longer, the hypervisor
 * or firmware has paused the CPU, one instruction has waited for a device, or another NMI handler
 * has run for this time.
 */
#define PAUSED_NS	NSEC_PER_MSEC

/* A CPU takes an IPI in a shorter time, unless interrupts are off. */
#define IPI_NS		NSEC_PER_MSEC

/* Limits of the wait for NMIs on their way, at unload: a host may not run a CPU for seconds. */
#define PENDING_MS	10000
#define UNCLAIMED_MS	20

/* One CPU. Times are CLOCK_MONOTONIC. */
struct nmi_cpu {
	struct window window;	/* opened by checks and nmi_sample_self() */
	atomic64_t request_ns;	/* set by watchers, cleared by the answer; 0: no request */
	u64 first_ns;		/* @request_ns before it was repeated */
	u64 answered_ns;	/* the last answer; 0: an NMI has been claimed since */
	bool sampling;		/* a handler uses @window */
	atomic64_t sent;	/* see struct nmi_counts */
	u64 taken;
	u64 late;
};

static struct nmi_cpu __percpu *nmi_cpus;
static int nmi_mode;
static bool registered;

/* Protects the variables below. */
static DEFINE_MUTEX(obstacle_mutex);
static bool enabled;
static bool may_send;		/* enabled, and there is no obstacle */

/*
 * What does the NMI interrupt?
 *
 *	current task     softirqs run or are disabled     else interrupts off     else
 *	idle task        softirq window                   hardirq window          window is over
 *	same, IPI waits  hardirq window                   hardirq window          window is over
 *
 *	current task     interrupts off                   else
 *	any other        hardirq window                   interrupts were on
 *
 * Interrupts that are on although a tick is overdue were on all the time: an overdue tick comes as
 * soon as code enables interrupts. Either the CPU was paused, or its timer is late. A softirq may
 * turn interrupts off for a moment, or all the time: then the IPI of check_stuck() waits.
 * Context: as nmi_sample(). Return: whether to sample.
 */
static bool nmi_classify(struct window *window, u64 now, struct pt_regs *regs)
{
	/* Also below another interrupt: many short interrupts would hide a long softirq. */
	enum window_kind kind = softirq_count() ? WINDOW_SOFTIRQ : WINDOW_HARDIRQ;
	bool off = compat_irqs_disabled(regs);
	bool all_off = off && ipi_is_pending() && !compat_idle_polls() &&
		       now - READ_ONCE(window->asked_ns) >= IPI_NS;

	if (!sample_idle_task()) {
		/* A window without samples may be of the idle task. On arm64, no check requests. */
		if (READ_ONCE(window->of_idle) || (NMI_ARCH_SUPPORTED && check_was_idle_since()))
			return false;
		if (!off)
			WRITE_ONCE(window->irqs_on, true);
		return off;
	}
	if (all_off) {
		kind = WINDOW_HARDIRQ;
	} else if ((!off && kind == WINDOW_HARDIRQ) ||
		   (READ_ONCE(window->nr) && READ_ONCE(window->kind) != kind)) {
		WRITE_ONCE(window->over_ns, now);
		return false;
	}
	WRITE_ONCE(window->kind, kind);
	WRITE_ONCE(window->of_idle, true);
	return true;
}

/*
 * @request_ns: when a watcher requested the NMI; @now if no watcher did: no pause is measured
 *
 * Context: a tick that has set @uses_window, or an NMI that has not interrupted such a tick.
 * Return: whether a sample was taken.
 */
static bool nmi_sample(struct nmi_cpu *n, u64 request_ns, u64 now, struct pt_regs *regs)
{
	struct window *window = &n->window;
	u64 began_ns, since_ns;
	bool sampled = false;

	WRITE_ONCE(n->sampling, true);
	/*
	 * Orders the store before the load of began_ns. Pairs with the cmpxchg() in
	 * window_close(): either this sees the window closed, or check_end_window() and
	 * check_open_window() see @sampling.
	 */
	smp_mb();
	began_ns = window_began(window);
	/* If this CPU has ticked since the begin, the window is over. */
	if (began_ns && began_ns <= request_ns && !READ_ONCE(window->over_ns) &&
	    this_cpu_read(tick_cpus.ran_ns) <= began_ns) {
		since_ns = max(READ_ONCE(n->first_ns), began_ns);
		/* Signed: the clocks of two CPUs may differ a little. */
		if (request_ns != now && (s64)(now - since_ns) >= (s64)PAUSED_NS)
			WRITE_ONCE(window->paused_ns, window->paused_ns + now - since_ns);
		sampled = window_wants(window, now - began_ns) && nmi_classify(window, now, regs);
		if (sampled)
			window_sample(window, began_ns, now, window->kind == WINDOW_HARDIRQ ?
				      STATE_IRQ_OFF : sample_softirq_state(), regs);
	}
	/* Orders all use of the window before the store. Pairs with nmi_is_sampling(). */
	smp_store_release(&n->sampling, false);
	return sampled;
}

bool nmi_answer(struct pt_regs *regs)
{
	struct nmi_cpu *n = this_cpu_ptr(nmi_cpus);
	/* Orders loads of the window after this one. Pairs with the cmpxchg in nmi_request(). */
	u64 request_ns = atomic64_read_acquire(&n->request_ns);
	u64 now;

	if (!request_ns)
		return false;

	now = ktime_get_mono_fast_ns();
	/* If @uses_window, this NMI has interrupted a tick that uses the window. */
	n->late += this_cpu_read(tick_cpus.uses_window) || !nmi_sample(n, request_ns, now, regs);
	n->taken++;
	n->answered_ns = now;
	/* Orders all of this before the next request. Pairs with the cmpxchg in nmi_request(). */
	atomic64_set_release(&n->request_ns, 0);
	return true;
}

void nmi_sample_in_tick(u64 now)
{
	struct tick_cpu *c = this_cpu_ptr(&tick_cpus);
	struct pt_regs *regs = get_irq_regs();

	if (!regs)
		return;
	WRITE_ONCE(c->uses_window, true);
	barrier();
	nmi_sample(this_cpu_ptr(nmi_cpus), now, now, regs);
	barrier();
	WRITE_ONCE(c->uses_window, false);
}

bool nmi_claim(void)
{
	struct nmi_cpu *n = this_cpu_ptr(nmi_cpus);
	u64 answered_ns = n->answered_ns;

	n->answered_ns = 0;
	return answered_ns && ktime_get_mono_fast_ns() - answered_ns < LOST_NS;
}

void nmi_sample_self(u64 began_ns, u64 now, struct pt_regs *regs)
{
	struct nmi_cpu *n = this_cpu_ptr(nmi_cpus);

	window_open(&n->window, WINDOW_HARDIRQ, began_ns, 0);
	nmi_sample(n, now, now, regs);
}

bool nmi_request(int cpu)
{
	struct nmi_cpu *n = per_cpu_ptr(nmi_cpus, cpu);
	s64 request_ns = atomic64_read(&n->request_ns);
	/* Not earlier: the host may have paused this CPU since the check began. */
	u64 now = ktime_get_ns();

	if (!NMI_ARCH_SUPPORTED || !READ_ONCE(may_send))
		return false;
	/* Signed, as in nmi_sample(). */
	if (request_ns && (s64)now - request_ns < (s64)LOST_NS)
		return false;
	if (!request_ns)
		WRITE_ONCE(n->first_ns, now);
	/* A full barrier: orders the opening of the window before this. Pairs with nmi_answer(). */
	if (atomic64_cmpxchg(&n->request_ns, request_ns, now) != request_ns)
		return false;
	if (!READ_ONCE(n->window.asked_ns))
		WRITE_ONCE(n->window.asked_ns, now);
	atomic64_inc(&n->sent);
	nmi_arch_send(cpu);
	return true;
}

bool nmi_is_on(void)
{
	return READ_ONCE(may_send);
}

bool nmi_is_sampling(int cpu)
{
	/* Orders writes to the window after this load. Pairs with the release in nmi_sample(). */
	return smp_load_acquire(&per_cpu_ptr(nmi_cpus, cpu)->sampling);
}

const char *nmi_obstacle(void)
{
	const char *obstacle = NULL;

	mutex_lock(&obstacle_mutex);
	if (!nmi_mode) {
		obstacle = "parameter";
	} else if (!NMI_ARCH_SUPPORTED) {
		obstacle = "architecture";
	} else if (num_possible_cpus() == 1) {
		obstacle = "one CPU";
	} else if (!registered) {
		obstacle = "registration failed";
	} else if (nmi_mode < 0) {
		obstacle = nmi_arch_risk();
		if (obstacle && READ_ONCE(may_send))
			pr_notice("no samples in hardirq windows: %s, for which NMIs are a risk (see SECURITY.md; nmi=1 sends NMIs)\n",
				  obstacle);
	}
	WRITE_ONCE(may_send, enabled && !obstacle);
	mutex_unlock(&obstacle_mutex);
	return obstacle;
}

void nmi_enable(bool enable)
{
	mutex_lock(&obstacle_mutex);
	enabled = enable;
	/* nmi_obstacle() prints an obstacle only if @may_send was set. */
	WRITE_ONCE(may_send, enable);
	mutex_unlock(&obstacle_mutex);
	nmi_obstacle();
}

void nmi_cpu_online(int cpu)
{
	atomic64_set(&per_cpu_ptr(nmi_cpus, cpu)->request_ns, 0);
}

struct window *check_window(int cpu)
{
	return &per_cpu_ptr(nmi_cpus, cpu)->window;
}

void nmi_count_all(struct nmi_counts *counts)
{
	int cpu;

	*counts = (struct nmi_counts) {};
	for_each_possible_cpu(cpu) {
		struct nmi_cpu *n = per_cpu_ptr(nmi_cpus, cpu);

		counts->sent += atomic64_read(&n->sent);
		counts->taken += READ_ONCE(n->taken);
		counts->late += READ_ONCE(n->late);
	}
}

static bool nmi_is_pending(void)
{
	int cpu;

	for_each_online_cpu(cpu)
		if (atomic64_read(&per_cpu_ptr(nmi_cpus, cpu)->request_ns))
			return true;
	return false;
}

int nmi_setup(int mode)
{
	nmi_cpus = alloc_percpu(struct nmi_cpu);
	if (!nmi_cpus)
		return -ENOMEM;

	nmi_mode = mode;
	registered = NMI_ARCH_SUPPORTED && !nmi_arch_init();
	return 0;
}

void nmi_teardown(void)
{
	int ms;

	for (ms = 0; ms < PENDING_MS && nmi_is_pending(); ms++)
		usleep_range(1000, 1100);
	/* Another NMI may have answered the last request: keep the handlers until ours has come. */
	msleep(UNCLAIMED_MS);
	if (NMI_ARCH_SUPPORTED && registered)
		nmi_arch_exit();
	free_percpu(nmi_cpus);
}
