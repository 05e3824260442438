// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks that begin in a thunk of x86
 *
 * Where a processor's guess at the target of an indirect call is not to be trusted, the
 * kernel calls a few instructions of its own instead, a thunk, which go there in a way
 * that cannot be guessed wrong. Loops that call by pointers spend much of their time in
 * them. The unwinder does not know what thunks do to the stack, as the kernel only writes
 * them when it boots: a stack that begins in one ends there, or goes astray.
 *
 *	retpoline:	call	1f		the caller's address is on top of the stack
 *			...
 *		1:	mov	%reg, (%rsp)	it is one word above
 *			ret			likewise
 *	ITS, lfence:	jmp	*%reg		it is on top of the stack
 *
 * The "ret" may be a thunk of its own, which may call another. Then the unwinder takes the
 * target, which is on the stack, for the address of a caller. But no call lies before it.
 *
 * So the unwinder is told of a function that was just entered, which is what it is like,
 * with the stack pointer where the caller's address is. It is the unwinder who reads
 * the stack, and checks what it reads. Nothing else is read but text.
 *
 * Context: any with interrupts off, NMI too.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/sched.h>

#include <asm/unwind.h>

#include "compat.h"
#include "stack.h"

#define CALL_BYTES	5	/* of a call that is not indirect */
#define LONGEST_CALL	7
#define LONGEST_JUMP	3	/* by a register */
#define MAX_WORDS	4	/* down to the target when a thunk for returns is at work */
#define MAX_CALLERS	2	/* to be looked at: a thunk's thunk, and the target */

/* ff, and which of the instructions that begin so in three bits of the next byte. */
static bool is_ff(const u8 *code, u8 which)
{
	return code[0] == 0xff && (code[1] >> 3 & 7) == which;
}

/* Of text that is being run. jmp *%reg; those of r8 and on have a prefix of 41. */
static bool is_indirect_jump(unsigned long ip)
{
	const u8 *code = (const u8 *)ip;

	/* What follows it may not be there. */
	if (offset_in_page(ip) > PAGE_SIZE - LONGEST_JUMP)
		return false;
	code += *code == 0x41;
	return is_ff(code, 4) && code[1] >= 0xc0;
}

/* Of an address in text. In doubt it is not. */
static bool is_after_call(unsigned long addr)
{
	const u8 *code = (const u8 *)addr - LONGEST_CALL;
	int i;

	/* What comes before the first function of a module may not be there. */
	if (offset_in_page(addr) < LONGEST_CALL)
		return false;
	if (code[LONGEST_CALL - CALL_BYTES] == 0xe8)
		return true;

	for (i = 0; i < LONGEST_CALL - 1; i++)
		if (is_ff(code + i, 2))
			return true;
	return false;
}

/* The stack that there is when the caller's address has so many words above it. */
static unsigned int unwind(const struct pt_regs *regs, int words,
			   unsigned long *entries, unsigned int size)
{
	struct unwind_state state;
	struct pt_regs entered = *regs;
	unsigned int nr;

	entered.ip = (unsigned long)stack_past_thunk;
	entered.sp += words * sizeof(long);

	unwind_start(&state, current, &entered, NULL);
	for (nr = 0; nr < size && !unwind_done(&state); nr++) {
		entries[nr] = unwind_get_return_address(&state);
		if (!entries[nr])
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
		if (!is_after_call(callers[i]))
			return words_past(regs, callers[i]);
	return -1;
}

unsigned int stack_past_thunk(const struct pt_regs *regs,
			      const unsigned long *callers,
			      unsigned int nr_callers, unsigned long *entries,
			      unsigned int size)
{
	int words = words_above(regs, callers, nr_callers);
	unsigned int nr;

	if (words < 0)
		return 0;
	nr = unwind(regs, words, entries, size);
	return nr && is_after_call(entries[0]) ? nr : 0;
}
