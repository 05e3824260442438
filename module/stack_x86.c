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
 * Context: any with interrupts off, NMI too. No memory is read but text of the kernel and
 * the words above the stack pointer.
 */
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include <asm/pgtable.h>
#include <asm/unwind.h>

#include "compat.h"
#include "stack.h"

#define CALL_BYTES	5	/* of a call that is not indirect */
#define LONGEST_CALL	7
#define MAX_WORDS	4	/* down to the target when a thunk for returns is at work */
#define MAX_CALLERS	2	/* to be looked at: a thunk's thunk, and the target */

static bool read_text(u8 *code, unsigned long addr, size_t bytes)
{
	return addr >= __START_KERNEL_map && addr < MODULES_END - bytes &&
	       !copy_from_kernel_nofault(code, (void *)addr, bytes);
}

static bool read_word(unsigned long sp, int words, unsigned long *value)
{
	return !copy_from_kernel_nofault(value, (unsigned long *)sp + words,
					 sizeof(*value));
}

/* ff, and which of the instructions that begin so in three bits of the next byte. */
static bool is_ff(const u8 *code, u8 which)
{
	return code[0] == 0xff && (code[1] >> 3 & 7) == which;
}

/* jmp *%reg, those of r8 and on with a prefix of 41. */
static bool is_indirect_jump(unsigned long ip)
{
	u8 code[3];
	int i;

	if (!read_text(code, ip, sizeof(code)))
		return false;
	i = code[0] == 0x41;
	return is_ff(code + i, 4) && code[i + 1] >= 0xc0;
}

static bool is_after_call(unsigned long addr)
{
	u8 code[LONGEST_CALL];
	int i;

	if (!read_text(code, addr - LONGEST_CALL, LONGEST_CALL))
		return false;
	if (code[LONGEST_CALL - CALL_BYTES] == 0xe8)
		return true;

	for (i = 0; i < LONGEST_CALL - 1; i++)
		if (is_ff(code + i, 2))
			return true;
	return false;
}

/* How many words lie above the one after this. Return: -1 when it is not near. */
static int words_to(unsigned long sp, unsigned long target)
{
	unsigned long word;
	int i;

	for (i = 0; i < MAX_WORDS && read_word(sp, i, &word); i++)
		if (word == target)
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
			return words_to(regs->sp, callers[i]);
	return -1;
}

unsigned int stack_past_thunk(const struct pt_regs *regs,
			      const unsigned long *callers,
			      unsigned int nr_callers, unsigned long *entries,
			      unsigned int size)
{
	int words = words_above(regs, callers, nr_callers);
	struct unwind_state state;
	struct pt_regs caller;
	unsigned int nr = 0;

	if (words < 0)
		return 0;

	caller = *regs;
	if (!read_word(regs->sp, words, &caller.ip) || !is_after_call(caller.ip))
		return 0;
	caller.sp += (words + 1) * sizeof(long);
	entries[nr++] = caller.ip;

	for (unwind_start(&state, current, &caller, NULL);
	     !unwind_done(&state) && nr < size; unwind_next_frame(&state)) {
		entries[nr] = unwind_get_return_address(&state);
		if (!entries[nr])
			break;
		nr++;
	}
	return nr;
}
