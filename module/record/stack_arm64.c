// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The caller of the interrupted function, on arm64.
 *
 * Context: see stack.h.
 */
#include <linux/bits.h>
#include <linux/minmax.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <asm/insn.h>
#include <asm/memory.h>

#include "record/stack.h"

#define KERNEL_BIT	BIT(55)	/* set in kernel addresses, signed or not */

/*
 * A leaf function has no stack frame, and other functions have none at their first and last
 * instructions: only the link register has the return address. Up to 6.12 the unwinder ignores
 * this register and misses the caller. Many hardirq windows end in a leaf function that enables
 * interrupts. So insert the link register as second frame, as newer kernels do.
 *
 * If the function has called another one meanwhile, the link register is stale. symbols.c leaves
 * out a stale frame: it lies in the interrupted function, or no call lies before it.
 */
unsigned int stack_mend(const struct pt_regs *regs,
			const unsigned long *callers, unsigned int nr_callers,
			unsigned long *entries, unsigned int size)
{
	unsigned long lr = procedure_link_pointer(regs);

	if (!(lr & KERNEL_BIT))
		return 0;
	/* Pointer authentication signs an address in bits that all kernel addresses share. */
	lr |= PAGE_OFFSET;
	if (nr_callers && callers[0] == lr)
		return 0;

	entries[0] = regs->pc;
	entries[1] = lr;
	nr_callers = min(nr_callers, size - 2);
	memcpy(entries + 2, callers, nr_callers * sizeof(*entries));
	return nr_callers + 2;
}

bool stack_is_return(unsigned long addr)
{
	__le32 code;

	/* If the code has gone with its module, assume that a call was there. */
	if (copy_from_kernel_nofault(&code, (void *)(addr - AARCH64_INSN_SIZE), sizeof(code)))
		return true;
	return aarch64_insn_is_bl(le32_to_cpu(code)) || aarch64_insn_is_blr(le32_to_cpu(code));
}
