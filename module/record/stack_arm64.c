// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The caller of the interrupted function, on arm64
 *
 * A leaf function has no stack frame, and any function has none at its first and last
 * instructions: the return address is in the link register only. Up to 6.12 the unwinder ignores
 * that register and misses the caller. A hardirq window often ends in such a function, which
 * enables interrupts again. So the link register is inserted as second frame, as newer kernels do.
 *
 * If the function has called others meanwhile, the link register is out of date. symbols.c leaves
 * such a frame out: it lies in the interrupted function, or no call lies before it.
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

unsigned int stack_mend(const struct pt_regs *regs,
			const unsigned long *callers, unsigned int nr_callers,
			unsigned long *entries, unsigned int size)
{
	unsigned long lr = procedure_link_pointer(regs);

	if (!(lr & KERNEL_BIT))
		return 0;
	/* Pointer authentication puts its signature into bits that all kernel addresses share. */
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

	/* The module may have gone. */
	if (copy_from_kernel_nofault(&code, (void *)(addr - AARCH64_INSN_SIZE), sizeof(code)))
		return true;
	return aarch64_insn_is_bl(le32_to_cpu(code)) || aarch64_insn_is_blr(le32_to_cpu(code));
}
