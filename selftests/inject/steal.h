/* SPDX-License-Identifier: GPL-2.0 */
/* Windows of which the kernel's books say that they were stolen, each a run() of a kind. */
#ifndef IRQOFF_INJECT_STEAL_H
#define IRQOFF_INJECT_STEAL_H

struct inject_window;

/** inject_steal_init() - part of inject_window_init() */
void inject_steal_init(struct inject_window *w);

/** inject_steal() - interrupts off, and accounted before they are on again */
int inject_steal(struct inject_window *w);

/** inject_steal_late() - likewise, accounted when the tick that ends it has run */
int inject_steal_late(struct inject_window *w);

/** inject_steal_bh() - softirqs off */
int inject_steal_bh(struct inject_window *w);

#endif /* IRQOFF_INJECT_STEAL_H */
