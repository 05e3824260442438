/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Windows on an idle CPU that an IPI starts, each a run() of a kind. */
#ifndef IRQOFF_INJECT_IDLE_H
#define IRQOFF_INJECT_IDLE_H

struct inject_window;

/** inject_idle_init() - part of inject_window_init() */
void inject_idle_init(struct inject_window *w);

/** inject_idle_exit() - part of inject_window_exit() */
void inject_idle_exit(struct inject_window *w);

/** inject_idle_free() - after inject_idle_exit() of all windows */
void inject_idle_free(void);

/** inject_idle_run_ipi() - the handler of an IPI */
int inject_idle_run_ipi(struct inject_window *w);

/** inject_idle_run_tasklet() - a tasklet that the handler schedules */
int inject_idle_run_tasklet(struct inject_window *w);

/** inject_idle_run_net_rx() - a NAPI poll that the handler schedules */
int inject_idle_run_net_rx(struct inject_window *w);

#endif /* IRQOFF_INJECT_IDLE_H */
