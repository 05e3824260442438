/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Windows that the callback of a timer makes, in hardirq or softirq: each a run() of a kind. */
#ifndef IRQOFF_INJECT_TIMERS_H
#define IRQOFF_INJECT_TIMERS_H

struct inject_window;

/** inject_timers_init() - part of inject_window_init() */
void inject_timers_init(struct inject_window *w);

/** inject_timers_exit() - part of inject_window_exit() */
void inject_timers_exit(struct inject_window *w);

/** inject_timers_run_handler() - an hrtimer's callback that interrupts a task */
int inject_timers_run_handler(struct inject_window *w);

/** inject_timers_run_idle_handler() - an hrtimer's callback that wakes the idle CPU */
int inject_timers_run_idle_handler(struct inject_window *w);

/** inject_timers_run_backlog() - interrupts off, and then an hrtimer's callback */
int inject_timers_run_backlog(struct inject_window *w);

/** inject_timers_run_softirq() - the function of a timer, in the TIMER softirq */
int inject_timers_run_softirq(struct inject_window *w);

/** inject_timers_run_idle_softirq() - the same on a CPU that this timer wakes */
int inject_timers_run_idle_softirq(struct inject_window *w);

/** inject_timers_run_wakeup() - no window: a timer that ends a suspend to idle */
int inject_timers_run_wakeup(struct inject_window *w);

#endif /* IRQOFF_INJECT_TIMERS_H */
