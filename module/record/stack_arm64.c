// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/* The caller of the interrupted function, on arm64. Context: see stack.h. */
#include <linux/bits.h>
#include <linux/ptrace.h>
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
			unsigned long *entries, unsigned int size, bool *inserted)
{
	unsigned long lr = procedure_link_pointer(regs);

	if (!(lr & KERNEL_BIT))
		return 0;
	/* Pointer authentication signs an address in bits that all kernel addresses share. */
	lr |= PAGE_OFFSET;
	if (nr_callers && callers[0] == lr)
		return 0;

	*inserted = true;
	return stack_insert(regs->pc, lr, callers, nr_callers, entries, size);
}

bool stack_is_caller(unsigned long addr, unsigned long ip, unsigned long function)
{
	__le32 code;

	if (copy_from_kernel_nofault(&code, (void *)(addr - AARCH64_INSN_SIZE), sizeof(code)))
		return false;
	return aarch64_insn_is_bl(le32_to_cpu(code)) || aarch64_insn_is_blr(le32_to_cpu(code));
}
