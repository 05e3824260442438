// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/* The stack on arm64, and the caller that the unwinder misses. Context: see stack.h. */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/stacktrace.h>
#include <linux/uaccess.h>

#include <asm/insn.h>
#include <asm/memory.h>

#include "record/sample.h"
#include "record/stack.h"

#define HEADROOM	24	/* for the frames of an interrupt: 16 were seen */
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
void stack_walk(struct sample *sample, const struct pt_regs *regs, struct walk_memory *walk)
{
	unsigned long found[SAMPLE_DEPTH + HEADROOM], lr = procedure_link_pointer(regs);
	unsigned int nr_found = stack_trace_save(found, ARRAY_SIZE(found), 0), first = 0, nr = 1;

	/* Our handler comes first. */
	while (first < nr_found && found[first] != regs->pc)
		first++;
	first++;
	sample->entries[0] = regs->pc;
	if (lr & KERNEL_BIT) {
		/* Pointer authentication signs in bits that all kernel addresses share. */
		lr |= _PAGE_OFFSET(VA_BITS_MIN);
		sample->inserted = first >= nr_found || found[first] != lr;
	}
	if (sample->inserted)
		sample->entries[nr++] = lr;
	while (nr < SAMPLE_DEPTH && first < nr_found)
		sample->entries[nr++] = found[first++];
	sample->nr_entries = nr;
}

bool stack_is_caller(unsigned long addr, unsigned long ip, unsigned long function)
{
	__le32 code;

	if (copy_from_kernel_nofault(&code, (void *)(addr - AARCH64_INSN_SIZE), sizeof(code)))
		return false;
	return aarch64_insn_is_bl(le32_to_cpu(code)) || aarch64_insn_is_blr(le32_to_cpu(code));
}
