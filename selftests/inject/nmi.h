/* SPDX-License-Identifier: GPL-2.0 */
/* NMIs that no handler expects: a run() of a kind. */
#ifndef IRQOFF_INJECT_NMI_H
#define IRQOFF_INJECT_NMI_H

struct inject_window;

#define INJECT_MAX_NMIS		1000

/** inject_nmis() - send the CPU of @w as many NMIs as its amount, one after the other */
int inject_nmis(struct inject_window *w);

#endif /* IRQOFF_INJECT_NMI_H */
