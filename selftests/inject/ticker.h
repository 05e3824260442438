/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Timers that do nothing, to compare with
 */
#ifndef IRQOFF_INJECT_TICKER_H
#define IRQOFF_INJECT_TICKER_H

/**
 * ticker_init() - offer /proc/irqoff_ticker
 *
 * Context: process context.
 * Return: 0, or -ENOMEM.
 */
int ticker_init(void);

/**
 * ticker_exit() - take it away, and stop the timers
 *
 * Context: process context.
 */
void ticker_exit(void);

#endif /* IRQOFF_INJECT_TICKER_H */
