/* SPDX-License-Identifier: GPL-2.0 */
/* Loads of known size, for the run() of a struct inject_kind: amount is in iterations. */
#ifndef IRQOFF_INJECT_LOAD_H
#define IRQOFF_INJECT_LOAD_H

struct inject_window;
struct tasklet_struct;

/** inject_loop() - a loop in process context */
int inject_loop(struct inject_window *w);

/** inject_tasklets() - one tasklet after the other, @busy_tasklet of the window */
int inject_tasklets(struct inject_window *w);

/** inject_busy_tasklet() - what that one does */
void inject_busy_tasklet(struct tasklet_struct *unused);

#endif /* IRQOFF_INJECT_LOAD_H */
