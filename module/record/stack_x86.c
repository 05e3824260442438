// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * On x86: the callers of a thunk, and with frame pointers the caller of a function without a
 * frame. Loops of indirect calls spend much of their time in thunks. Many hardirq windows end in a
 * function without a frame that enables interrupts. Context: see stack.h.
 */
#include <linux/kconfig.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <asm/pgtable.h>
#include <asm/unwind.h>

#include "compat.h"
#include "record/stack.h"

/*
 * Mitigations replace an indirect call by the call of a thunk: a few instructions that jump to the
 * target. The kernel patches thunks at boot, so its unwinder does not know them: the stack ends in
 * the thunk, or has wrong callers. Where the address of the thunk's caller is on the stack:
 *
 *	retpoline:	call	1f		on top
 *			...
 *		1:	mov	%reg, (%rsp)	below one word
 *			ret			below one word
 *	ITS, lfence:	jmp	*%reg		on top
 *
 * The "ret" may be a jump to another thunk, which may call a third one. While these run, the target
 * is on the stack, and the unwinder takes the target for a caller. Two facts tell a target from a
 * caller: the address is also in a register, and no call lies before the address.
 *
 * stack_mend() starts the unwinder again, as if a function had just been entered, with the stack
 * pointer at the caller's address.
 *
 * Not handled: retbleed=stuff; the function graph tracer's return_to_handler up to 5.17.
 */
#define CALL_BYTES	5	/* of a direct call: e8 and an offset */
#define LONGEST_CALL	7	/* bytes of an indirect call */
#define BEGIN_BYTES	16	/* of a function, up to its frame */
#define MAX_WORDS	2	/* on top of the caller's address, if a thunk has called a thunk */
#define MAX_CALLERS	2	/* that the unwinder found, and that may be the target */

/* The code may have gone: __init functions stay on the stack of an idle task. */
static bool stack_read_code(u8 *code, unsigned long addr, size_t bytes)
{
	if (addr < __START_KERNEL_map || addr >= MODULES_END - bytes)
		return false;
	/* KCSAN: the task's pagefault counter changes, and is restored. */
	return !data_race(copy_from_kernel_nofault(code, (void *)addr, bytes));
}

/* Opcode ff is several instructions: three bits of the next byte tell which. 2: call, 4: jmp. */
static bool is_ff(const u8 *code, u8 which)
{
	return code[0] == 0xff && (code[1] >> 3 & 7) == which;
}

/* jmp *%reg, with a prefix of 41 for r8 to r15. */
static bool is_indirect_jump(unsigned long ip)
{
	u8 buf[3], *code = buf;

	if (!stack_read_code(buf, ip, sizeof(buf)))
		return false;
	code += *code == 0x41;
	return is_ff(code, 4) && code[1] >= 0xc0;
}

/* Return: whether a call lies before @addr; @unknown if the code cannot be read. */
static bool is_after_call(unsigned long addr, bool unknown)
{
	u8 code[LONGEST_CALL];
	int i;

	if (!stack_read_code(code, addr - LONGEST_CALL, LONGEST_CALL))
		return unknown;
	for (i = 0; i < LONGEST_CALL - 1; i++)
		if (is_ff(code + i, 2))
			return true;
	return code[LONGEST_CALL - CALL_BYTES] == 0xe8;
}

static bool is_in_register(const struct pt_regs *regs, unsigned long value)
{
	const unsigned long *reg;

	for (reg = &regs->r15; reg <= &regs->di; reg++)
		if (*reg == value)
			return true;
	return false;
}

/* Unwind from the caller's address, which has @words on top of it on the stack. */
static unsigned int stack_unwind(const struct pt_regs *regs, int words,
				 unsigned long *entries, unsigned int size)
{
	struct unwind_state state;
	struct pt_regs entered = *regs;
	unsigned int nr = 0;

	/* As in a call of NULL: unwinders take the word on top of the stack for the caller. */
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

/* Return: number of words on top of the caller's address; -1: this is no thunk. */
static int words_to_caller(const struct pt_regs *regs, const unsigned long *callers,
			   unsigned int nr_callers)
{
	unsigned long offset = compat_retpoline_offset(regs->ip), word;
	unsigned int i;
	int words;

	if (offset != COMPAT_NO_RETPOLINE)
		return offset >= CALL_BYTES;
	if (!nr_callers)
		return is_indirect_jump(regs->ip) ? 0 : -1;

	for (i = 0; i < nr_callers && i < MAX_CALLERS; i++) {
		if (!is_in_register(regs, callers[i]) || is_after_call(callers[i], true))
			continue;
		/* Find the target on the stack: the caller's address is one word below. */
		for (words = 1; words <= MAX_WORDS; words++)
			if (stack_unwind(regs, words - 1, &word, 1) && word == callers[i])
				return words;
		break;
	}
	return -1;
}

/*
 * In a function without a frame, the return address is on top of the stack, or below the frame
 * pointer that the function has just saved. The unwinder misses this caller. The word may be
 * something else (stack_is_caller()). Return: the word, or 0 if no caller is missing.
 */
static unsigned long stack_missing_caller(const struct pt_regs *regs, const unsigned long *callers,
					  unsigned int nr_callers)
{
	unsigned long words[2], addr;

	if (!IS_ENABLED(CONFIG_UNWINDER_FRAME_POINTER) ||
	    copy_from_kernel_nofault(words, (void *)regs->sp, sizeof(words)))
		return 0;
	addr = words[words[0] == regs->bp];
	return is_after_call(addr, false) && !(nr_callers && callers[0] == addr) ? addr : 0;
}

/*
 * The word is a caller only if a call of this function lies before it; a call by pointer counts in
 * the first instructions of a function. If the function has set up its frame, the word is left from
 * an earlier call: "push %rbp; mov %rsp,%rbp" follows a marker and an instruction for the function
 * tracer, and the frame lasts until the "ret".
 */
bool stack_is_caller(unsigned long addr, unsigned long ip, unsigned long function)
{
	static const u8 frame[] = { 0x55, 0x48, 0x89, 0xe5 };
	u8 call[CALL_BYTES], code[BEGIN_BYTES], now;
	s32 offset;
	int i;

	if (!is_after_call(addr, false) || !stack_read_code(call, addr - CALL_BYTES, CALL_BYTES) ||
	    !stack_read_code(code, function, BEGIN_BYTES) || !stack_read_code(&now, ip, 1))
		return false;
	memcpy(&offset, call + 1, sizeof(offset));
	if ((call[0] != 0xe8 || addr + offset != function) && ip >= function + BEGIN_BYTES)
		return false;
	if (call[0] == 0xe8 && addr + offset != function &&
	    compat_retpoline_offset(addr + offset) == COMPAT_NO_RETPOLINE)
		return false;
	for (i = 0; i <= BEGIN_BYTES - sizeof(frame); i++)
		if (!memcmp(code + i, frame, sizeof(frame)))
			return ip < function + i + sizeof(frame) || now == 0xc3;
	return true;
}

unsigned int stack_mend(const struct pt_regs *regs,
			const unsigned long *callers, unsigned int nr_callers,
			unsigned long *entries, unsigned int size, bool *inserted)
{
	int words = words_to_caller(regs, callers, nr_callers);
	unsigned int nr = words < 0 ? 0 : stack_unwind(regs, words, entries, size);
	unsigned long addr;

	if (nr && is_after_call(entries[0], false)) {
		/* The first entry is printed as an instruction: it must point into the call. */
		entries[0]--;
		return nr;
	}
	addr = stack_missing_caller(regs, callers, nr_callers);
	*inserted = addr;
	return addr ? stack_insert(regs->ip, addr, callers, nr_callers, entries, size) : 0;
}
