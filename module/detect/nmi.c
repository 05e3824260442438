// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Samples of a CPU that is stuck. A watcher requests a sample, and sends an NMI. The handler
 * samples what the NMI has interrupted:
 *
 *	interrupted         interrupts off      softirqs running or disabled   otherwise
 *	a task              hardirq window      no sample                      no sample
 *	the idle task       hardirq window      softirq window                 window is over
 *
 * (On an idle CPU softirqs decide first, as their tick may be stopped: see check.c. A task with
 * interrupts on takes its tick next.)
 *
 * Context: see nmi.h; nmi_answer(), nmi_claim() and nmi_self() run in NMI.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/ktime.h>

#include "compat.h"
#include "detect/counter.h"
#include "detect/nmi.h"
#include "detect/nmi_arch.h"
#include "detect/softirq.h"
#include "detect/tick.h"

/*
 * An unanswered request times out after LOST_NS and may be repeated. An NMI that no handler
 * claims is assumed to be ours if this CPU has answered a request within LOST_NS.
 */
#define LOST_NS		NSEC_PER_SEC

/* How long unloading waits for NMIs on their way: the host may not run that CPU. */
#define PENDING_MS	10000
#define UNCLAIMED_MS	20

/**
 * struct nmi_cpu - one CPU
 * @request_ns: CLOCK_MONOTONIC of the request; 0: none. Set by others, cleared by the NMI
 * @sent: NMIs sent to this CPU
 * @taken: NMIs that answered a request
 * @late: of these, NMIs that added no sample to @window
 * @answered_ns: the last answer; 0: an NMI has been claimed since
 * @sampling: a handler uses @window
 * @task: which task the last NMI of the counter interrupted, with interrupts off; NULL: none
 * @switches: context switches of @task by then
 * @ran_ns: the CPU's last tick by then
 * @same_ns: since then the three above have been the same
 * @window: opened by checks and nmi_self(), closed by checks and late ticks
 */
struct nmi_cpu {
	atomic64_t request_ns;
	atomic64_t sent;
	u64 taken;
	u64 late;
	u64 answered_ns;
	bool sampling;
	struct task_struct *task;
	unsigned long switches;
	u64 ran_ns;
	u64 same_ns;
	struct window window;
};

static struct nmi_cpu __percpu *nmi_cpus;
static int nmi_mode;
static bool registered;

/* Protects @enabled; @may_send also says that there is no obstacle. */
static DEFINE_MUTEX(obstacle_mutex);
static bool enabled;
static bool may_send;

/* NMI. What the table above says. Return: false if there is no sample to take. */
static bool nmi_classify(struct window *window, u64 now, struct pt_regs *regs)
{
	bool off = compat_irqs_disabled(regs), idle = sample_idle_task();
	/* Not in an interrupt that interrupts softirqs. HARDIRQ_OFFSET is the NMI's own. */
	enum window_kind kind = idle && softirq_count() && hardirq_count() == HARDIRQ_OFFSET ?
				WINDOW_SOFTIRQ : WINDOW_HARDIRQ;

	if (!idle)
		return off && !(window->nr && window->idle);
	if (kind == WINDOW_SOFTIRQ && !off && softirqs_sample_nmi(now, regs))
		return false;
	if (!(off || kind == WINDOW_SOFTIRQ) || (window->nr && window->kind != kind)) {
		WRITE_ONCE(window->over_ns, now);
		return false;
	}
	WRITE_ONCE(window->kind, kind);
	WRITE_ONCE(window->idle, true);
	return true;
}

/*
 * NMI. While sampling is set, no watcher opens the window anew.
 * Return: whether a sample was taken.
 */
static bool nmi_sample(struct nmi_cpu *n, u64 requested_ns, u64 now, struct pt_regs *regs)
{
	struct window *window = &n->window;
	bool sampled = false;
	u64 began_ns;

	WRITE_ONCE(n->sampling, true);
	/* Either this sees the window closed, or open_window() sees @sampling. */
	smp_mb();
	began_ns = window_began(window);
	/* A late tick that this NMI interrupts reads the samples right now. */
	if (began_ns && began_ns <= requested_ns && !READ_ONCE(window->over_ns) &&
	    !this_cpu_read(tick_cpus.recording) && window_wants(window, now - began_ns) &&
	    nmi_classify(window, now, regs)) {
		window_sample(window, began_ns, now, window->kind == WINDOW_HARDIRQ ?
			      STATE_IRQ_OFF : sample_softirq_state(), regs);
		sampled = true;
	}
	/* Pairs with nmi_is_sampling(). */
	smp_store_release(&n->sampling, false);
	return sampled;
}

static bool nmi_answer(struct pt_regs *regs)
{
	struct nmi_cpu *n = this_cpu_ptr(nmi_cpus);
	/* The watcher saw the window open before it sent the request. Pairs with nmi_request(). */
	u64 request_ns = atomic64_read_acquire(&n->request_ns);
	u64 now;

	if (!request_ns)
		return false;

	now = ktime_get_mono_fast_ns();
	n->late += !nmi_sample(n, request_ns, now, regs);
	n->taken++;
	n->answered_ns = now;
	/* Another NMI may be sent when this handler has finished with the window. */
	atomic64_set_release(&n->request_ns, 0);
	return true;
}

static bool nmi_claim(void)
{
	struct nmi_cpu *n = this_cpu_ptr(nmi_cpus);
	u64 answered_ns = n->answered_ns;

	n->answered_ns = 0;
	return answered_ns && ktime_get_mono_fast_ns() - answered_ns < LOST_NS;
}

/*
 * An NMI of the counter, which no other CPU has sent. This CPU is stuck if the same task has had
 * interrupts off at each NMI for longer than a tick, and no tick came.
 */
static void nmi_self(struct pt_regs *regs)
{
	struct nmi_cpu *n = this_cpu_ptr(nmi_cpus);
	const struct tick_cpu *c = this_cpu_ptr(&tick_cpus);
	unsigned long switches = current->nvcsw + current->nivcsw;
	u64 now = ktime_get_mono_fast_ns();

	if (sample_idle_task() || !compat_irqs_disabled(regs) || !READ_ONCE(c->running)) {
		n->task = NULL;
		return;
	}
	if (n->task != current || n->switches != switches || n->ran_ns != c->ran_ns) {
		n->task = current;
		n->switches = switches;
		n->ran_ns = c->ran_ns;
		n->same_ns = now;
		return;
	}
	if (now - n->same_ns < c->interval_ns || c->recording)
		return;
	window_open(&n->window, WINDOW_HARDIRQ, n->same_ns + c->interval_ns, 0);
	nmi_sample(n, now, now, regs);
}

bool nmi_request(int cpu, u64 now)
{
	struct nmi_cpu *n = per_cpu_ptr(nmi_cpus, cpu);
	s64 request_ns = atomic64_read(&n->request_ns);

	if (!NMI_ARCH_SUPPORTED || !READ_ONCE(may_send))
		return false;
	/* Signed: another CPU may have sent a request after this one read the clock. */
	if (request_ns && (s64)now - request_ns < (s64)LOST_NS)
		return false;
	/* A full barrier: the window opens before the request is seen. Pairs with nmi_answer(). */
	if (atomic64_cmpxchg(&n->request_ns, request_ns, now) != request_ns)
		return false;
	atomic64_inc(&n->sent);
	nmi_arch_send(cpu);
	return true;
}

bool nmi_is_sampling(int cpu)
{
	/* Pairs with nmi_sample(). */
	return smp_load_acquire(&per_cpu_ptr(nmi_cpus, cpu)->sampling);
}

static const char *find_obstacle(void)
{
	if (!nmi_mode)
		return "parameter";
	if (!NMI_ARCH_SUPPORTED)
		return "architecture";
	if (num_possible_cpus() == 1)
		return "one CPU";
	if (!registered)
		return "registration failed";
	return NULL;
}

/* A driver that may panic may come, go, or get other parameters at any time. */
const char *nmi_obstacle(void)
{
	const char *obstacle;

	mutex_lock(&obstacle_mutex);
	obstacle = find_obstacle();
	if (NMI_ARCH_SUPPORTED && !obstacle && nmi_mode < 0) {
		obstacle = nmi_arch_risk();
		if (obstacle && READ_ONCE(may_send))
			pr_notice("no samples in hardirq windows: %s may panic on an NMI (nmi=1 sends NMIs all the same)\n",
				  obstacle);
	}
	WRITE_ONCE(may_send, enabled && !obstacle);
	mutex_unlock(&obstacle_mutex);
	return obstacle;
}

void nmi_enable(const struct cpumask *cpus)
{
	counter_enable(cpus);
	mutex_lock(&obstacle_mutex);
	enabled = cpus;
	/* So nmi_obstacle() reports an obstacle that is there already. */
	WRITE_ONCE(may_send, enabled);
	mutex_unlock(&obstacle_mutex);
	nmi_obstacle();
}

void nmi_cpu_online(int cpu)
{
	atomic64_set(&per_cpu_ptr(nmi_cpus, cpu)->request_ns, 0);
	counter_cpu_online();
}

struct window *nmi_window(int cpu)
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

static bool requests_pending(void)
{
	int cpu;

	for_each_online_cpu(cpu)
		if (atomic64_read(&per_cpu_ptr(nmi_cpus, cpu)->request_ns))
			return true;
	return false;
}

int nmi_setup(int mode, u64 cycles)
{
	nmi_cpus = alloc_percpu(struct nmi_cpu);
	if (!nmi_cpus)
		return -ENOMEM;

	nmi_mode = mode;
	counter_init(cycles, nmi_self);
	registered = NMI_ARCH_SUPPORTED && !nmi_arch_init(nmi_answer, nmi_claim, nmi_obstacle);
	return 0;
}

void nmi_teardown(void)
{
	int ms;

	counter_exit();
	for (ms = 0; ms < PENDING_MS && requests_pending(); ms++)
		usleep_range(1000, 1100);
	/* Another NMI may have answered our request; our own NMI then arrives soon. */
	msleep(UNCLAIMED_MS);
	if (NMI_ARCH_SUPPORTED && registered)
		nmi_arch_exit();
	free_percpu(nmi_cpus);
}
