// SPDX-License-Identifier: GPL-2.0
/*
 * Who called the function that was interrupted, on arm64
 *
 * A function that calls no other leaves no frame on the stack: where it returns to is in the
 * link register alone. So does each function before its first instructions have run, and after
 * its last but one. The unwinder goes by frames, and up to 6.12 it does not look at that
 * register: the caller of such a function is missing. An end of a window often lies in one,
 * that turns interrupts back on, and its caller is who had turned them off. Newer kernels
 * always put the register behind the interrupted instruction; here it is done for the others.
 *
 * But when the function has called others meanwhile, the register holds where the last of
 * these returned to, or anything at all. That is left out when it is printed (frames.c): a
 * place in the interrupted function itself, or one that no call lies before.
 *
 * Context: stack_mend() runs in any with interrupts off, NMI too; stack_is_return() in process.
 */
#include <linux/bits.h>
#include <linux/minmax.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <asm/insn.h>
#include <asm/memory.h>

#include "record/stack.h"

#define KERNEL_BIT	BIT(55)	/* of an address, whatever signs it */

unsigned int stack_mend(const struct pt_regs *regs,
			const unsigned long *callers, unsigned int nr_callers,
			unsigned long *entries, unsigned int size)
{
	unsigned long lr = procedure_link_pointer(regs);

	if (!(lr & KERNEL_BIT))
		return 0;
	/* It may be signed, in the bits that are the same for all of the kernel's addresses. */
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

	/* Of a module that is gone it cannot be told. */
	if (copy_from_kernel_nofault(&code, (void *)(addr - AARCH64_INSN_SIZE),
				     sizeof(code)))
		return true;
	return aarch64_insn_is_bl(le32_to_cpu(code)) ||
	       aarch64_insn_is_blr(le32_to_cpu(code));
}
