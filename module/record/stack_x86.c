// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Stacks that begin in a thunk, on x86
 *
 * Mitigations replace an indirect call by a call of a thunk, a few instructions that go to
 * the target. The kernel patches thunks at boot, so its unwinder knows nothing of them:
 * the stack ends in the thunk, or goes astray. Loops of indirect calls spend much time there.
 *
 *	retpoline:	call	1f		the caller's address is on top of the stack
 *			...
 *		1:	mov	%reg, (%rsp)	one word above it
 *			ret			one word above it
 *	ITS, lfence:	jmp	*%reg		on top of the stack
 *
 * The "ret" may be a thunk of its own, which may call another thunk. Then the unwinder takes the
 * target, which is on the stack, for a caller. A target is known by its register, and by
 * no call before it.
 *
 * The unwinder starts anew as if a function had just been entered, with the stack pointer at the
 * caller's address. Only the unwinder reads the stack.
 *
 * Not handled: retbleed=stuff; the function graph tracer's return_to_handler up to 5.17.
 *
 * Context: see stack.h.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include <asm/pgtable.h>
#include <asm/unwind.h>

#include "compat.h"
#include "record/stack.h"

#define CALL_BYTES	5	/* of a direct call */
#define LONGEST_CALL	7
#define LONGEST_JUMP	3	/* by a register */
#define MAX_WORDS	2	/* above the target, by a thunk of a thunk */
#define MAX_CALLERS	2	/* that may be the target */

/* Text may have gone: __init functions stay on the stack of an idle task. */
static bool read_text(u8 *code, unsigned long addr, size_t bytes)
{
	if (addr < __START_KERNEL_map || addr >= MODULES_END - bytes)
		return false;
	/* KCSAN: this changes the task's pagefault counter, and restores it. */
	return !data_race(copy_from_kernel_nofault(code, (void *)addr, bytes));
}

/* Opcode ff; three bits of the next byte tell which instruction it is. */
static bool is_ff(const u8 *code, u8 which)
{
	return code[0] == 0xff && (code[1] >> 3 & 7) == which;
}

/* jmp *%reg, with a prefix of 41 for r8 to r15. */
static bool is_indirect_jump(unsigned long ip)
{
	u8 code[LONGEST_JUMP];
	int i;

	if (!read_text(code, ip, LONGEST_JUMP))
		return false;
	i = code[0] == 0x41;
	return is_ff(code + i, 4) && code[i + 1] >= 0xc0;
}

enum before {
	BEFORE_UNKNOWN,
	BEFORE_CALL,
	BEFORE_OTHER,
};

static enum before what_is_before(unsigned long addr)
{
	u8 code[LONGEST_CALL];
	int i;

	if (!read_text(code, addr - LONGEST_CALL, LONGEST_CALL))
		return BEFORE_UNKNOWN;
	if (code[LONGEST_CALL - CALL_BYTES] == 0xe8)
		return BEFORE_CALL;

	for (i = 0; i < LONGEST_CALL - 1; i++)
		if (is_ff(code + i, 2))
			return BEFORE_CALL;
	return BEFORE_OTHER;
}

static bool is_in_register(const struct pt_regs *regs, unsigned long value)
{
	const unsigned long *reg;

	for (reg = &regs->r15; reg <= &regs->di; reg++)
		if (*reg == value)
			return true;
	return false;
}

/* Unwind from the caller's address, which has @words above it on the stack. */
static unsigned int unwind(const struct pt_regs *regs, int words,
			   unsigned long *entries, unsigned int size)
{
	struct unwind_state state;
	struct pt_regs entered = *regs;
	unsigned int nr = 0;

	/* For a call of NULL, unwinders take the word on top of the stack as return address. */
	entered.ip = 0;
	entered.sp += words * sizeof(long);

	unwind_start(&state, current, &entered, NULL);
	while (!unwind_done(&state)) {
		entries[nr] = unwind_get_return_address(&state);
		if (!entries[nr] || ++nr == size)
			break;
		unwind_next_frame(&state);
	}
	return nr;
}

/* Return: number of words up to and with @target; -1: it is not near. */
static int words_past(const struct pt_regs *regs, unsigned long target)
{
	unsigned long word;
	int i;

	for (i = 0; i < MAX_WORDS; i++)
		if (unwind(regs, i, &word, 1) && word == target)
			return i + 1;
	return -1;
}

/* Return: number of words above the caller's address; -1: this is no thunk. */
static int words_above(const struct pt_regs *regs, const unsigned long *callers,
		       unsigned int nr_callers)
{
	unsigned long offset = compat_retpoline_offset(regs->ip);
	unsigned int i;

	if (offset != COMPAT_NO_RETPOLINE)
		return offset >= CALL_BYTES;
	if (!nr_callers)
		return is_indirect_jump(regs->ip) ? 0 : -1;

	for (i = 0; i < nr_callers && i < MAX_CALLERS; i++)
		if (is_in_register(regs, callers[i]) && what_is_before(callers[i]) == BEFORE_OTHER)
			return words_past(regs, callers[i]);
	return -1;
}

unsigned int stack_mend(const struct pt_regs *regs,
			const unsigned long *callers, unsigned int nr_callers,
			unsigned long *entries, unsigned int size)
{
	int words = words_above(regs, callers, nr_callers);
	unsigned int nr;

	if (words < 0 || !unwind(regs, words, entries, 1) ||
	    what_is_before(entries[0]) != BEFORE_CALL)
		return 0;

	nr = unwind(regs, words, entries, size);
	/* Into the call, not behind it. */
	entries[0]--;
	return nr;
}
