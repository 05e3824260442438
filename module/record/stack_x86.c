// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks that begin in a thunk of x86
 *
 * Where a processor's guess at the target of an indirect call is not to be trusted, the
 * kernel calls a few instructions of its own instead, a thunk, which go there in a way
 * that cannot be guessed wrong. Loops that call by pointers spend much of their time in
 * them. The kernel picks a thunk's instructions when it boots, so the unwinder is told
 * nothing of them: a stack that begins in one ends there, or goes astray. It is little
 * that they do to the stack:
 *
 *	retpoline:	call	1f		the caller's address is on top of the stack
 *			...
 *		1:	mov	%reg, (%rsp)	it is one word above
 *			ret			likewise
 *	ITS, lfence:	jmp	*%reg		it is on top of the stack
 *
 * The "ret" may be a thunk of its own, which may call another. Then the unwinder takes the
 * target, which is on the stack, for the address of a caller. But no call lies before it,
 * and it is in the register by which it was called.
 *
 * So the unwinder is told of a function that was just entered, which is what it is like,
 * with the stack pointer where the caller's address is. It is the unwinder who reads
 * the stack, and checks what it reads. Nothing else is read but text.
 *
 * Not known here: the thunks of retbleed=stuff, and, up to 5.17, the end of the function graph
 * tracer's return_to_handler, which is a retpoline that returns.
 *
 * Context: any with interrupts off, NMI too.
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

#define CALL_BYTES	5	/* of a call that is not indirect */
#define LONGEST_CALL	7
#define LONGEST_JUMP	3	/* by a register */
#define MAX_WORDS	2	/* down to the target: a thunk's thunk lies above it */
#define MAX_CALLERS	2	/* likewise, as the unwinder has them */

/* Text may be gone, as that of __init functions, which stay on the stack of an idle task. */
static bool read_text(u8 *code, unsigned long addr, size_t bytes)
{
	if (addr < __START_KERNEL_map || addr >= MODULES_END - bytes)
		return false;
	/* What the task counts meanwhile is as it was when an interrupt returns to it. */
	return !data_race(copy_from_kernel_nofault(code, (void *)addr, bytes));
}

/* ff, and which of the instructions that begin so in three bits of the next byte. */
static bool is_ff(const u8 *code, u8 which)
{
	return code[0] == 0xff && (code[1] >> 3 & 7) == which;
}

/* jmp *%reg; those of r8 and on have a prefix of 41. */
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

/* Any of those that a function can be called by. */
static bool is_in_register(const struct pt_regs *regs, unsigned long value)
{
	const unsigned long *reg;

	for (reg = &regs->r15; reg <= &regs->di; reg++)
		if (*reg == value)
			return true;
	return false;
}

/* The stack that there is when the caller's address has so many words above it. */
static unsigned int unwind(const struct pt_regs *regs, int words,
			   unsigned long *entries, unsigned int size)
{
	struct unwind_state state;
	struct pt_regs entered = *regs;
	unsigned int nr = 0;

	/* The unwinders know of calls to nowhere, and take the word on top. */
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

/* How many words lie above the one after this. Return: -1 when it is not near. */
static int words_past(const struct pt_regs *regs, unsigned long target)
{
	unsigned long word;
	int i;

	for (i = 0; i < MAX_WORDS; i++)
		if (unwind(regs, i, &word, 1) && word == target)
			return i + 1;
	return -1;
}

/* How many words lie above the caller's address. Return: -1 when this is no thunk. */
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
		if (is_in_register(regs, callers[i]) &&
		    what_is_before(callers[i]) == BEFORE_OTHER)
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
	/* The call, not what comes after it. */
	entries[0]--;
	return nr;
}
