/* SPDX-License-Identifier: GPL-2.0 */
/* NMIs that nobody waits for, as the run() of a struct inject_kind. */
#ifndef IRQOFF_INJECT_NMI_H
#define IRQOFF_INJECT_NMI_H

struct inject_window;

#define INJECT_MAX_NMIS		1000

/** inject_nmis() - so many of them to this CPU, one after the other */
int inject_nmis(struct inject_window *w);

#endif /* IRQOFF_INJECT_NMI_H */
