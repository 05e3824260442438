// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/* Sends IPIs; no second one to a CPU that has not taken the first. Context: see watch.h. */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>

#include "detect/watch.h"

struct ipi {
	call_single_data_t csd;
	unsigned long sent;	/* bit 0: sent, and ipi_handle() has not begun */
};

static DEFINE_PER_CPU(struct ipi, ipis);
static void (*ipi_handler)(void);

static void ipi_handle(void *unused)
{
	clear_bit(0, &this_cpu_ptr(&ipis)->sent);
	/*
	 * Orders the clear before the loads of the handler. Pairs with ipi_send(): if a sender
	 * found @sent set, and sent no IPI, the handler sees the sender's stores.
	 */
	smp_mb__after_atomic();
	ipi_handler();
}

void ipi_send(int cpu)
{
	struct ipi *ipi = per_cpu_ptr(&ipis, cpu);

	/* Orders the caller's stores before the test of @sent. Pairs with ipi_handle(). */
	smp_mb__before_atomic();
	if (test_and_set_bit(0, &ipi->sent))
		return;
	/* Set here: 5.10 to 6.12 do not relocate pointers in the per-CPU data of a module. */
	ipi->csd.func = ipi_handle;
	if (smp_call_function_single_async(cpu, &ipi->csd))
		clear_bit(0, &ipi->sent);
}

bool ipi_is_pending(void)
{
	return test_bit(0, &this_cpu_ptr(&ipis)->sent);
}

void ipi_init(void (*handler)(void))
{
	ipi_handler = handler;
}

void ipi_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		while (test_bit(0, &per_cpu(ipis, cpu).sent))
			usleep_range(1000, 2000);
	/* The last ipi_handle() has cleared @sent, but may not have returned. */
	synchronize_rcu();
}
