/* SPDX-License-Identifier: GPL-2.0 */
/* The kinds of windows, and the state of a window while it is made. */
#ifndef IRQOFF_INJECT_WINDOW_H
#define IRQOFF_INJECT_WINDOW_H

#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct inject_loop;
struct inject_window;

#define MAX_US		(30 * USEC_PER_SEC)

/**
 * struct inject_kind - a way to make a window
 * @name: its name in a write to the file
 * @max_amount: upper limit of the amount, in the unit of struct inject_window
 * @run: makes a window, and returns when the window is over. If the CPU has gone offline, or the
 *	window cannot be made, @end_ns stays 0. Context: process, in a task that may run only on the
 *	CPU of the window
 * @delay_ms: the handler of a timer or IPI comes after this time
 * @softirq: the callback of the timer of inject_timers_run_softirq()
 * @loop: the loop that takes the time; for the kinds of contexts.c
 */
struct inject_kind {
	const char *name;
	u64 max_amount;
	void (*run)(struct inject_window *window);
	unsigned int delay_ms;
	void (*softirq)(struct timer_list *timer);
	const struct inject_loop *loop;
};

/**
 * struct inject_window - the window of one CPU
 * @cpu: the CPU
 * @kind: set before run()
 * @amount: microseconds; iterations for "loop", NMIs for "nmi"; set before run()
 * @start_ns: CLOCK_MONOTONIC, read first in the window
 * @end_ns: CLOCK_MONOTONIC, read last in the window; 0: no window was made
 * @lock: held by the "spinlock" kind; protects nothing
 * @done: completed when the handler of a timer or IPI has run
 *
 * The run() of a kind sets up all other timers, tasklets and works that it uses.
 */
struct inject_window {
	unsigned int cpu;
	const struct inject_kind *kind;
	u64 amount;
	u64 start_ns;
	u64 end_ns;
	raw_spinlock_t lock;
	struct hrtimer hrtimer;
	struct timer_list timer;
	struct rcu_head rcu;
	struct tasklet_struct tasklet;
	struct tasklet_struct second_tasklet;
	call_single_data_t csd;
	struct delayed_work send_ipi;	/* on another CPU; sends @csd */
	struct completion done;
};

/** inject_window_find_kind() - Return: the kind, or NULL if no kind has that name. */
const struct inject_kind *inject_window_find_kind(const char *name);

/* In contexts.c: kinds that inject_window_find_kind() finds, too */
const struct inject_kind *inject_contexts_find_kind(const char *name);
void inject_contexts_init(void);

/* The run() of each kind outside window.c. In timers.c: the callback of a timer takes long. */
void inject_timers_run_handler(struct inject_window *w);	/* hrtimer */
void inject_timers_run_backlog(struct inject_window *w);	/* hrtimer, after interrupts off */
void inject_timers_run_softirq(struct inject_window *w);	/* TIMER softirq, with one of: */
void inject_softirq(struct timer_list *timer);
void inject_off_softirq(struct timer_list *timer);	/* with interrupts off */
void inject_oops_softirq(struct timer_list *timer);	/* an oops at its end */
void inject_toggle_softirq(struct timer_list *timer);	/* with interrupts off in it */
void inject_rcu_softirq(struct timer_list *timer);	/* which calls call_rcu() */
void inject_irqs_softirq(struct timer_list *timer);	/* with interrupts on top */

/* In idle.c: an IPI wakes an idle CPU. One of these takes long: */
void inject_idle_run_ipi(struct inject_window *w);	/* the handler of the IPI */
void inject_idle_run_tasklet(struct inject_window *w);	/* a tasklet that the handler schedules */

/* In steal.c: the kernel accounts the window, with interrupts off, as steal time. */
void inject_steal(struct inject_window *w);

/* In pause.c, x86 only: */
void inject_pause(struct inject_window *w);	/* a pause with interrupts off */
void inject_late_timer(struct inject_window *w);	/* no timer interrupt comes */

/* In garbage.c, x86 only: the stack is garbage. */
void inject_garbage_bh(struct inject_window *w);	/* softirqs off */
void inject_garbage_hardirq(struct inject_window *w);	/* interrupts off */

/* In storm.c: */
void inject_storm(struct inject_window *w);	/* interrupts arrive while softirqs are off */
void inject_storm_run_once(struct inject_window *w);	/* the handler of an interrupt takes long */
int inject_storm_init(void);	/* once, before the first run() */
void inject_storm_exit(void);

/* In poll.c: a NAPI poll takes long. */
void inject_poll_run(struct inject_window *w);

/* In nowindow.c: no window. */
void inject_nowindow_run_loop(struct inject_window *w);	/* a loop in process context */
void inject_nowindow_run_nmis(struct inject_window *w);	/* NMIs to the CPU itself; x86 only */
void inject_nowindow_run_wakeup(struct inject_window *w);	/* ends a suspend to idle */
void inject_nowindow_init(void);	/* once, before the first run() */
void inject_nowindow_exit(void);

#endif /* IRQOFF_INJECT_WINDOW_H */
