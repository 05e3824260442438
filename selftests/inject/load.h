/* SPDX-License-Identifier: GPL-2.0 */
/* A load of known size, a run() of a kind: its amount is in iterations. */
#ifndef IRQOFF_INJECT_LOAD_H
#define IRQOFF_INJECT_LOAD_H

struct inject_window;

/** inject_loop() - a loop in process context */
int inject_loop(struct inject_window *w);

#endif /* IRQOFF_INJECT_LOAD_H */
