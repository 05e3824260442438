// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Walks the stack on x86 by the kernel's unwinder, and finds callers that the unwinder misses: of a
 * thunk, and with frame pointers of a function without a frame. Loops of indirect calls spend much
 * of their time in thunks. Many hardirq windows end in a function without a frame that enables
 * interrupts. Context: see stack.h.
 */
#include <linux/compiler.h>
#include <linux/kconfig.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>

#include <asm/pgtable.h>
#include <asm/unwind.h>

#include "compat.h"
#include "record/sample.h"
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
 * stack_walk() starts the unwinder again, as if a function had just been entered, with the stack
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
	return memory_read(code, addr, bytes);
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

/*
 * Return: number of words on top of the caller's address, if this is a thunk; otherwise -1.
 * @caller: as the unwinder found it, or 0.
 */
static int words_to_caller(const struct pt_regs *regs, unsigned long caller)
{
	unsigned long stack[MAX_WORDS];
	int words;

	if (!caller)
		return is_indirect_jump(regs->ip) ? 0 : -1;
	if (!is_in_register(regs, caller) || is_after_call(caller, true) ||
	    !memory_read(stack, regs->sp, sizeof(stack)))
		return -1;
	/* Find the target on the stack: the caller's address is one word below. */
	for (words = 1; words <= MAX_WORDS; words++)
		if (stack[words - 1] == caller)
			return words;
	return -1;
}

/*
 * In a function without a frame, the return address is on top of the stack, or below the frame
 * pointer that the function has just saved. The unwinder misses this caller. Later,
 * stack_is_caller() tells whether the word is a caller. Return: the word, or 0 if no
 * caller is missing; @end: address above the word.
 */
static unsigned long missing_caller(const struct pt_regs *regs, unsigned long caller,
				    unsigned long *end)
{
	unsigned long words[2], addr;
	bool saved;

	if (!IS_ENABLED(CONFIG_UNWINDER_FRAME_POINTER) ||
	    !memory_read(words, regs->sp, sizeof(words)))
		return 0;
	saved = words[0] == regs->bp;
	addr = words[saved];
	*end = regs->sp + (saved + 1) * sizeof(long);
	return addr != caller && is_after_call(addr, false) ? addr : 0;
}

/* One walk */
struct walk {
	struct sample *sample;
	struct walk_memory *memory;	/* or NULL */
	unsigned int nr;		/* frames visited so far */
	bool complete;			/* down to the outermost frame */
};

static void walk_visit(struct walk *w, const struct unwind_state *state,
		       unsigned long ip, unsigned long sp, unsigned long end)
{
	if (w->nr < SAMPLE_DEPTH)
		w->sample->entries[w->nr] = code_of(ip);
	if (w->memory && w->nr < WALK_FRAMES)
		memory_visit(w->memory, &w->memory->frames[w->nr], state, ip, sp, end);
	w->nr++;
}

/* If the stack is garbage, @regs are anywhere in it. */
static bool is_user(const struct pt_regs *regs)
{
	u16 cs;

	return memory_read(&cs, (unsigned long)&regs->cs, sizeof(cs)) && (cs & 3);
}

/* Return: end of the frame that the unwinder has left, or 0; @sp: begin of the caller's frame. */
static unsigned long walk_end(struct unwind_state *state, unsigned long *sp)
{
	if (unwind_done(state))
		return 0;
	if (state->regs) {
		*sp = READ_ONCE_NOCHECK(state->regs->sp);
		return (unsigned long)state->regs;
	}
#ifdef CONFIG_UNWINDER_ORC
	*sp = state->sp;
#else
	*sp = (unsigned long)(state->bp + 2);
#endif
	return *sp;
}

/*
 * Walk from @regs on; @words: of a thunk, see words_to_caller(), or -1; @mend: look for a thunk and
 * for a caller that the unwinder misses. Return: -1 if the walk is done. Otherwise this is a thunk,
 * and the caller walks again, with this number of words.
 */
static int walk_from(struct walk *w, const struct pt_regs *regs, int words, bool mend)
{
	unsigned long ip = regs->ip, sp = regs->sp, end, next_sp, caller, missing;
	unsigned int max = w->memory ? WALK_FRAMES : SAMPLE_DEPTH;
	struct pt_regs entered = *regs;
	struct unwind_state state;

	w->nr = 0;
	if (w->memory) {
		w->memory->words_left = WALK_WORDS;
		w->memory->failed = false;
	}
	if (words >= 0) {
		/* As in a call of NULL: unwinders take the word on top for the caller. */
		entered.ip = 0;
		entered.sp += words * sizeof(long);
	}
	unwind_start(&state, current, &entered, NULL);
	if (words >= 0) {
		ip = unwind_get_return_address(&state);
		if (!ip || !is_after_call(ip, false))
			return words;
		/* The first entry is printed as an instruction: it must point into the call. */
		ip--;
		walk_end(&state, &sp);
		unwind_next_frame(&state);
	}
	for (;; unwind_next_frame(&state)) {
		caller = unwind_get_return_address(&state);
		if (mend && w->nr < MAX_CALLERS && (caller || !w->nr)) {
			words = words_to_caller(regs, caller);
			if (words >= 0)
				return words;
		}
		missing = mend && !w->nr ? missing_caller(regs, caller, &end) : 0;
		if (missing) {
			walk_visit(w, &state, ip, sp, end);
			w->sample->inserted = true;
			ip = missing;
			sp = end;
		}
		end = walk_end(&state, &next_sp);
		walk_visit(w, &state, ip, sp, end);
		if (!caller || w->nr >= max)
			break;
		ip = caller;
		sp = next_sp;
	}
	/* A BPF program sets the error. The walk is complete if it has reached user space. */
	w->complete = !caller && (!unwind_error(&state) || (state.regs && is_user(state.regs)));
	return -1;
}

void stack_walk(struct sample *sample, const struct pt_regs *regs, struct walk_memory *walk)
{
	unsigned long offset = compat_retpoline_offset(regs->ip);
	int words = offset == COMPAT_NO_RETPOLINE ? -1 : offset >= CALL_BYTES;
	struct walk w = { .sample = sample, .memory = walk };

	words = walk_from(&w, regs, words, words < 0);
	if (words >= 0 && offset == COMPAT_NO_RETPOLINE)
		words = walk_from(&w, regs, words, false);
	/* No caller of a thunk was found: walk as for other code. */
	if (words >= 0)
		walk_from(&w, regs, -1, false);

	sample->nr_entries = min_t(unsigned int, w.nr, SAMPLE_DEPTH);
	if (walk)
		memory_keep(&sample->memory, walk, w.complete ? w.nr : 0, regs);
}

/*
 * The word is a caller only if a call of this function lies before it; a call by pointer counts in
 * the first instructions of a function, and at its "ret" or jump to a return thunk.
 */
bool stack_is_caller(unsigned long addr, unsigned long ip, unsigned long function)
{
	u8 call[CALL_BYTES], now;
	s32 offset;

	if (!is_after_call(addr, false) || !stack_read_code(call, addr - CALL_BYTES, CALL_BYTES) ||
	    !stack_read_code(&now, ip, 1))
		return false;
	memcpy(&offset, call + 1, sizeof(offset));
	if (call[0] == 0xe8 && addr + offset == function)
		return true;
	return (ip < function + BEGIN_BYTES || now == 0xc3 || now == 0xe9) &&
	       (call[0] != 0xe8 ||
		compat_retpoline_offset(addr + offset) != COMPAT_NO_RETPOLINE);
}
