/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* /proc/irqoff_cost: how long the probes of a tracepoint take. */
#ifndef IRQOFF_INJECT_COST_H
#define IRQOFF_INJECT_COST_H

int cost_init(void);
void cost_exit(void);

#endif /* IRQOFF_INJECT_COST_H */
