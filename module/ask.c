// SPDX-License-Identifier: GPL-2.0
/*
 * Asks a CPU that has missed its tick for a look at itself, by NMI, which interrupts that
 * are off do not hold up.
 *
 * A request says when it was made. The NMI handler compares: an NMI that comes when that
 * window is over, as a hypervisor may delay it, finds one that began later, and takes no
 * sample. Only who puts a request in an empty place sends an NMI, or in that of one that
 * has been lost. An NMI of others may answer the request before; then the one that we
 * sent is a stray, which the CPU claims if it comes within a second of its last answer.
 *
 * A CPU may also look at itself, when an NMI of its own cycle counter comes (counter.c).
 *
 * The handlers are there only while the tracer is on. To put them in waits for nobody. To
 * take them away waits for RCU, and so for a CPU that has interrupts off: that is left to
 * a work item, which is not even started before each CPU has come by. If one gets stuck
 * just then, and the tracer is turned on again, there is a second set of handlers.
 *
 * Context: ask_nmi(), ask_stray_nmi() and ask_self() run in NMI; with the others see ask.h.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "ask.h"
#include "awake.h"
#include "compat.h"
#include "counter.h"
#include "nmi.h"
#include "settings.h"

/*
 * A request that has not been answered for so long is lost, and may be made again; an
 * NMI without a request is not ours any more so long after the last answer.
 */
#define LOST_NS		NSEC_PER_SEC

/* So long is waited for NMIs on their way: a host may have stopped that CPU. */
#define UNDER_WAY_MS	10000
#define STRAY_MS	20	/* for strays: they are right behind */

/**
 * struct asked - one CPU
 * @asked_ns: when it was asked for a look, 0 when nobody has. CLOCK_MONOTONIC. Set by
 *	others, cleared by the NMI on this CPU
 * @sent: NMIs for it; by others
 * @taken: those that came; by itself
 * @late: those of them that came too late; by itself
 * @answered_ns: the last answer to a request, 0 when a stray was claimed since
 * @looking: an NMI is at work on @window, which nobody else may change then; by itself
 * @window: open from the time that its tick is due
 */
struct asked {
	atomic64_t asked_ns;
	atomic64_t sent;
	u64 taken;
	u64 late;
	u64 answered_ns;
	bool looking;
	struct window window;
};

static struct asked __percpu *asked;

/* What became of a set of handlers. */
enum {
	HANDLERS_OUT,
	HANDLERS_IN,
	HANDLERS_FAILED,
	HANDLERS_GOING,
};

static atomic_t handlers[NMI_SETS];
static bool handlers_wanted;
static bool may_send;
static struct rcu_work remove_work;

static int allowed;
const char *ask_obstacle;

/* NMI. @began_ns: what the CPU had expected before it went idle, and woke, and got stuck. */
static void look(struct window *window, u64 began_ns, u64 now,
		 struct pt_regs *regs)
{
	u64 woke_ns = awake_since(now);
	u64 due_ns = woke_ns + READ_ONCE(settings.first_ns);

	if (!window->nr && woke_ns && began_ns < due_ns) {
		began_ns = due_ns;
		WRITE_ONCE(window->began_ns, began_ns);
	}
	if (now > began_ns && window_wants(window, now - began_ns))
		window_look(window, now, READ_ONCE(settings.threshold_ns),
			    STATE_IRQ_OFF, regs);
}

/*
 * NMI. Between this and end_look() nobody else changes the window of this CPU. Return: since when
 * it is open, 0 when it is not.
 */
static u64 begin_look(struct asked *a)
{
	WRITE_ONCE(a->looking, true);
	/* Either this sees the window closed, or who closes it sees this. See ask_close(). */
	smp_mb();
	return READ_ONCE(a->window.began_ns);
}

static void end_look(struct asked *a)
{
	/* Pairs with ask_close(). */
	smp_store_release(&a->looking, false);
}

/* NMI. */
static bool ask_nmi(struct pt_regs *regs)
{
	struct asked *a = this_cpu_ptr(asked);
	/* Who asked has seen the window open, which another CPU may have opened. */
	u64 asked_ns = atomic64_read_acquire(&a->asked_ns);
	u64 began_ns, now;

	if (!asked_ns)
		return false;

	began_ns = begin_look(a);
	now = ktime_get_mono_fast_ns();
	/* With interrupts on, the window is over, although its late tick has not come yet. */
	if (!began_ns || asked_ns < began_ns || !compat_irqs_disabled(regs))
		a->late++;
	else
		look(&a->window, began_ns, now, regs);
	end_look(a);
	a->taken++;
	a->answered_ns = now;

	/*
	 * The next NMI may be sent when this one is done with the window. Pairs
	 * with the cmpxchg in ask_for_look().
	 */
	atomic64_set_release(&a->asked_ns, 0);
	return true;
}

/* NMI. Nobody has asked: is the tick of this CPU overdue? */
static void ask_self(struct pt_regs *regs)
{
	struct asked *a = this_cpu_ptr(asked);
	u64 began_ns;

	/* With interrupts on its tick comes when this is over; an idle one has none to take. */
	if (!compat_irqs_disabled(regs) || awake_turns(smp_processor_id()) & 1)
		return;
	began_ns = begin_look(a);
	if (began_ns)
		look(&a->window, began_ns, ktime_get_mono_fast_ns(), regs);
	end_look(a);
}

/* NMI. */
static bool ask_stray_nmi(void)
{
	struct asked *a = this_cpu_ptr(asked);
	u64 answered_ns = a->answered_ns;

	a->answered_ns = 0;
	return answered_ns && ktime_get_mono_fast_ns() - answered_ns < LOST_NS;
}

static const struct nmi_user nmi_user = {
	.handle = ask_nmi,
	.handle_stray = ask_stray_nmi,
};

bool ask_for_look(int cpu, u64 now)
{
	struct asked *a = per_cpu_ptr(asked, cpu);
	s64 asked_ns = atomic64_read(&a->asked_ns);

	if (!READ_ONCE(may_send))
		return false;
	/* Signed: another CPU may have asked after our tick began. */
	if (asked_ns && (s64)now - asked_ns < (s64)LOST_NS)
		return false;
	if (atomic64_cmpxchg(&a->asked_ns, asked_ns, now) != asked_ns)
		return false;
	atomic64_inc(&a->sent);
	nmi_send(cpu);
	return true;
}

static bool requests_pending(void)
{
	int cpu;

	for_each_online_cpu(cpu)
		if (atomic64_read(&per_cpu_ptr(asked, cpu)->asked_ns))
			return true;
	return false;
}

static void put_in(void)
{
	int set, was;

	for (set = 0; set < NMI_SETS; set++) {
		was = atomic_cmpxchg(&handlers[set], HANDLERS_OUT, HANDLERS_IN);
		if (was == HANDLERS_OUT && nmi_attach(set, &nmi_user)) {
			atomic_set(&handlers[set], HANDLERS_FAILED);
			break;
		}
		if (was == HANDLERS_OUT || was == HANDLERS_IN) {
			WRITE_ONCE(may_send, true);
			return;
		}
	}
	WRITE_ONCE(ask_obstacle, "registration failed");
}

/* Return: whether the tracer is off, and no NMI of ours is under way any more. */
static bool is_quiet(void)
{
	int ms;

	for (ms = 0; ms < UNDER_WAY_MS && requests_pending(); ms++)
		usleep_range(1000, 1100);
	msleep(STRAY_MS);
	return !READ_ONCE(handlers_wanted);
}

/* Process. All that was sent was sent before the RCU grace period that has passed. */
static void remove(struct work_struct *work)
{
	int set, was;

	if (READ_ONCE(handlers_wanted) || !is_quiet())
		return;
	for (set = 0; set < NMI_SETS; set++) {
		was = atomic_read(&handlers[set]);
		if (was == HANDLERS_OUT)
			continue;
		/* Either we see that it is on again, or that sees that these go. */
		atomic_xchg(&handlers[set], HANDLERS_GOING);
		if (READ_ONCE(handlers_wanted)) {
			atomic_set(&handlers[set], was);
			return;
		}
		nmi_detach(set);
		atomic_set(&handlers[set], HANDLERS_OUT);
	}
}

static const char *find_obstacle(void)
{
	if (!allowed)
		return "parameter";
	if (!NMI_SUPPORTED)
		return "architecture";
	if (num_possible_cpus() == 1)
		return "one CPU";
	return allowed < 0 ? nmi_risk(NULL) : NULL;
}

void ask_enable(const struct cpumask *cpus)
{
	counter_enable(cpus);
	WRITE_ONCE(handlers_wanted, cpus);
	if (!cpus) {
		WRITE_ONCE(may_send, false);
		queue_rcu_work(compat_unbound_wq, &remove_work);
		return;
	}

	smp_mb();	/* pairs with the atomic_xchg() in remove() */
	WRITE_ONCE(ask_obstacle, find_obstacle());
	if (!ask_obstacle)
		put_in();
}

/* A driver that may panic on an NMI of ours has come. Process. */
static int module_came(struct notifier_block *block, unsigned long state,
		       void *data)
{
	const struct module *module = data;

	if (state == MODULE_STATE_COMING && allowed < 0 && !ask_obstacle)
		WRITE_ONCE(ask_obstacle, nmi_risk(module->name));
	return NOTIFY_OK;
}

static struct notifier_block modules = { .notifier_call = module_came };

void ask_cpu_online(int cpu)
{
	atomic64_set(&per_cpu_ptr(asked, cpu)->asked_ns, 0);
	counter_cpu_online(cpu);
}

struct window *ask_window(int cpu)
{
	return &per_cpu_ptr(asked, cpu)->window;
}

void ask_close(int cpu)
{
	struct asked *a = per_cpu_ptr(asked, cpu);

	window_close(&a->window);
	/*
	 * An NMI that is at work on it would go on with the next one that is opened, which may
	 * begin later than now: the handler once counted up to that time, for ever.
	 */
	smp_mb();	/* pairs with ask_nmi() */
	smp_cond_load_acquire(&a->looking, !VAL);
}

void ask_count(struct ask_counts *counts)
{
	int cpu;

	*counts = (struct ask_counts) {};
	for_each_possible_cpu(cpu) {
		struct asked *a = per_cpu_ptr(asked, cpu);

		counts->sent += atomic64_read(&a->sent);
		counts->taken += READ_ONCE(a->taken);
		counts->late += READ_ONCE(a->late);
	}
}

int ask_init(int nmi, u64 cycles)
{
	int ret;

	asked = alloc_percpu(struct asked);
	if (!asked)
		return -ENOMEM;

	allowed = nmi;
	counter_init(cycles, ask_self);
	ask_obstacle = find_obstacle();
	INIT_RCU_WORK(&remove_work, remove);
	ret = register_module_notifier(&modules);
	if (ret)
		free_percpu(asked);
	return ret;
}

void ask_exit(void)
{
	unregister_module_notifier(&modules);
	flush_rcu_work(&remove_work);
	counter_exit();
	free_percpu(asked);
}
