/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kinds of windows that can be had, and the state that making one takes
 */
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
 * @name: what a write to the file calls it
 * @max_amount: upper limit of the amount: microseconds, or iterations
 * @run: makes a window and returns once it is over: 0 or an errno. Process
 *	context, in a task that may run on the CPU of the window alone. That CPU
 *	may have gone offline meanwhile: no window is made then, and -ENXIO
 *	returned
 */
struct inject_kind {
	const char *name;
	u64 max_amount;
	int (*run)(struct inject_window *window);
};

/**
 * struct inject_window - the one window that a CPU can be in
 * @cpu: the CPU
 * @amount: how long, set before run()
 * @start_ns: CLOCK_MONOTONIC, taken as the first thing in the window
 * @end_ns: CLOCK_MONOTONIC, taken as the last thing in the window
 * @lock: lock of the "spinlock" kind, protects nothing
 * @hrtimer: timer of the "handler" kind
 * @steal_timer: timer of the "steal_late" kind
 * @wakeup_timer: timer of the "wakeup" kind
 * @timer: timer of the "softirq" kind
 * @tasklet: wakes ksoftirqd for the "ksoftirqd" kind, waits for the "pending" one
 * @second_tasklet: waits for the "pending" kind
 * @idle_tasklet: of the "idle_tasklet" kind
 * @napi: of the "idle_net_rx" kind
 * @csd: IPI of the "idle_..." kinds
 * @send_ipi: sends it, on another CPU
 * @done: completed when the handler of a timer has run
 *
 * The timers and the tasklet are idle whenever run() is not running, but for
 * @wakeup_timer.
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

/** inject_window_exit() - nothing is under way any more. Process context. */
void inject_window_exit(struct inject_window *window);

/**
 * inject_find_kind() - look up a kind
 * @name: its name
 *
 * Context: any.
 * Return: the kind, or NULL when there is none of that name.
 */
const struct inject_kind *inject_find_kind(const char *name);

#endif /* IRQOFF_INJECT_WINDOW_H */
