/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Puts settings in force. Context: process. */
#ifndef TRACE_IRQOFF_CONTROL_H
#define TRACE_IRQOFF_CONTROL_H

struct user_settings;

int control_init(void);
void control_exit(void);

/**
 * control_apply() - put settings in force
 * @from: those in force now
 *
 * Tracing stops while the period or the CPUs change. A new period clears the histograms, as
 * distribute counts in periods. Waits for no CPU, except for a timer callback that the CPU is
 * running right now. One caller at a time.
 */
void control_apply(const struct user_settings *from, const struct user_settings *to);

#endif /* TRACE_IRQOFF_CONTROL_H */
