/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Sends CPUs IPIs, for which nothing waits. */
#ifndef TRACE_IRQOFF_IPI_H
#define TRACE_IRQOFF_IPI_H

/**
 * ipi_init() - to be called before the other functions
 * @handler: what a CPU does when it takes the IPI, in hardirq
 */
void ipi_init(void (*handler)(void));

/** ipi_send() - send a CPU an IPI, unless it is offline. Context: preemption off. */
void ipi_send(int cpu);

/** ipi_exit() - wait until no IPI is on its way or being handled. Context: process. */
void ipi_exit(void);

#endif /* TRACE_IRQOFF_IPI_H */
