/* SPDX-License-Identifier: GPL-2.0 */
/* The kinds of windows, and the state of a window while it is made. */
#ifndef IRQOFF_INJECT_WINDOW_H
#define IRQOFF_INJECT_WINDOW_H

#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/netdevice.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct inject_window;

/**
 * struct inject_kind - a way to make a window
 * @name: its name in a write to the file
 * @max_amount: upper limit of the amount: microseconds, or iterations
 * @run: makes a window, and returns 0 or an errno when the window is over. If the CPU has gone
 *	offline, it makes no window and returns -ENXIO. Context: process, in a task that may
 *	run only on the CPU of the window
 */
struct inject_kind {
	const char *name;
	u64 max_amount;
	int (*run)(struct inject_window *window);
};

/**
 * struct inject_window - the window of one CPU
 * @cpu: the CPU
 * @amount: microseconds, or iterations; set before run()
 * @start_ns: CLOCK_MONOTONIC, read first in the window
 * @end_ns: CLOCK_MONOTONIC, read last in the window; 0: no window was made
 * @lock: lock of the "spinlock" kind, protects nothing
 * @hrtimer: timer of the "handler", "idle_handler" and "backlog" kinds
 * @steal_timer: timer of the "steal_late" kind
 * @wakeup_timer: timer of the "wakeup" kind
 * @timer: timer of the "softirq" and "idle_softirq" kinds
 * @tasklet: wakes ksoftirqd for the "ksoftirqd" kind; pending HI of the "pending" kind
 * @second_tasklet: pending TASKLET of the "pending" kind
 * @idle_tasklet: tasklet of the "idle_tasklet" kind
 * @napi: NAPI of the "idle_net_rx" kind
 * @csd: IPI of the "idle_ipi", "idle_tasklet" and "idle_net_rx" kinds
 * @send_ipi: work on another CPU that sends @csd
 * @done: completed when the handler of a timer or IPI has run
 *
 * Timers and tasklets are idle while run() is not running, except @wakeup_timer.
 */
struct inject_window {
	unsigned int cpu;
	u64 amount;
	u64 start_ns;
	u64 end_ns;
	raw_spinlock_t lock;
	struct hrtimer hrtimer;
	struct hrtimer steal_timer;
	struct hrtimer wakeup_timer;
	struct timer_list timer;
	struct tasklet_struct tasklet;
	struct tasklet_struct second_tasklet;
	struct tasklet_struct idle_tasklet;
	struct napi_struct napi;
	call_single_data_t csd;
	struct delayed_work send_ipi;
	struct completion done;
};

/**
 * inject_window_init() - prepare the window of a CPU
 * @window: the window
 * @cpu: its CPU, which need not be online
 *
 * Context: process context, before the first run().
 */
void inject_window_init(struct inject_window *window, unsigned int cpu);

/** inject_window_exit() - stop all timers and tasklets. Context: process. */
void inject_window_exit(struct inject_window *window);

/**
 * inject_find_kind() - look up a kind
 * @name: its name
 *
 * Context: any.
 * Return: the kind, or NULL if no kind has that name.
 */
const struct inject_kind *inject_find_kind(const char *name);

#endif /* IRQOFF_INJECT_WINDOW_H */
