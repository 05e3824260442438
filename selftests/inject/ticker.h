/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* /proc/irqoff_ticker: a timer with an empty callback. */
#ifndef IRQOFF_INJECT_TICKER_H
#define IRQOFF_INJECT_TICKER_H

int ticker_init(void);
void ticker_exit(void);

#endif /* IRQOFF_INJECT_TICKER_H */
