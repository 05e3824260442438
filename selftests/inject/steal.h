/* SPDX-License-Identifier: GPL-2.0 */
/* Windows that the kernel accounts as steal time, each a run() of a kind. */
#ifndef IRQOFF_INJECT_STEAL_H
#define IRQOFF_INJECT_STEAL_H

struct inject_window;

/** inject_steal_init() - part of inject_window_init() */
void inject_steal_init(struct inject_window *w);

/** inject_steal() - interrupts off; accounted before interrupts are on again */
int inject_steal(struct inject_window *w);

/** inject_steal_late() - interrupts off; accounted after the tick that ends the window */
int inject_steal_late(struct inject_window *w);

/** inject_steal_bh() - softirqs disabled; accounted before they are enabled again */
int inject_steal_bh(struct inject_window *w);

#endif /* IRQOFF_INJECT_STEAL_H */
