// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/* Reads the contents of the stack, and keeps hashes of them. Context: see stack.h. */
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <asm/unwind.h>

#include "record/sample.h"
#include "record/stack.h"

bool memory_read(void *to, unsigned long addr, size_t bytes)
{
	/* KCSAN: the task's pagefault counter changes, and is restored. */
	return !data_race(copy_from_kernel_nofault(to, (void *)addr, bytes));
}

static u16 hash_of(u64 word)
{
	return (word * GOLDEN_RATIO_64 >> 48) ?: 1;
}

static u64 hash_add(u64 hash, u64 word)
{
	return (hash ^ word) * GOLDEN_RATIO_64;
}

/* Hash the words of a frame below its return address, the nearest first. Return: false if wrong. */
static bool read_words(struct walk_memory *walk, struct frame_memory *f,
		       unsigned long sp, unsigned long end)
{
	unsigned long chunk[8], at = end - sizeof(long), from;
	unsigned long words = (end - sp) / sizeof(long);
	u64 hash = words;
	int i, n = 0;

	if (words > walk->words_left || !IS_ALIGNED(sp | end, sizeof(long)))
		return false;
	walk->words_left -= words;
	for (; at > sp; at = from) {
		from = max(sp, at - sizeof(chunk));
		if (!memory_read(chunk, from, at - from))
			return false;
		for (i = (at - from) / sizeof(long) - 1; i >= 0; i--) {
			if (n < NR_SAVED)
				f->saved[n++] = hash_of(chunk[i]);
			else
				hash = hash_add(hash, chunk[i]);
		}
	}
	f->others = hash_of(hash);
	return true;
}

/* The registers that functions preserve come first in struct pt_regs. */
static void read_regs(u16 saved[NR_SAVED], const struct pt_regs *regs)
{
	int i;

	for (i = 0; i < NR_SAVED; i++)
		saved[i] = hash_of((&regs->r15)[i]);
}

/* Return: false if the interrupt is still being entered: its registers are not all saved. */
static bool read_interrupt(struct walk_frame *f, const struct unwind_state *state)
{
	struct pt_regs regs;

#ifdef CONFIG_UNWINDER_ORC
	if (!state->full_regs)
		return false;
#endif
	if (!memory_read(&regs, (unsigned long)state->regs, sizeof(regs)))
		return false;
	f->interrupt = !user_mode(&regs);
	if (f->interrupt)
		read_regs(f->memory.saved, &regs);
	return true;
}

void memory_visit(struct walk_memory *walk, struct walk_frame *f, const struct unwind_state *state,
		  unsigned long ip, unsigned long sp, unsigned long end)
{
	const struct stack_info *stack = &state->stack_info;

	*f = (struct walk_frame) { .ip = ip };
	if (end && end == (unsigned long)state->regs)
		walk->failed |= !read_interrupt(f, state);
	else if (sp < end && sp >= (unsigned long)stack->begin &&
		 end <= (unsigned long)stack->end)
		walk->failed |= !read_words(walk, &f->memory, sp, end);
}

static u64 hash_frame(u64 hash, const struct walk_frame *f)
{
	int i;

	hash = hash_add(hash_add(hash, f->ip), f->memory.others);
	for (i = 0; i < NR_SAVED; i++)
		hash = hash_add(hash, f->memory.saved[i]);
	return hash;
}

void memory_keep(struct stack_memory *memory, const struct walk_memory *walk, unsigned int nr,
		 const struct pt_regs *regs)
{
	const unsigned long *reg;
	unsigned int number;
	u64 hash = 0;

	memory->depth = walk->failed ? 0 : nr;
	if (!memory->depth)
		return;
	memory->first = nr <= MEMORY_FRAMES ? 0 : round_up(nr - MEMORY_FRAMES, MEMORY_STEP);
	memory->interrupts = 0;
	memset(memory->outer, 0, sizeof(memory->outer));
	for (number = 0; number < nr; number++) {
		const struct walk_frame *f = &walk->frames[nr - 1 - number];
		int i = number - memory->first;

		if (i == 0 || i == MEMORY_STEP)
			memory->outer[i / MEMORY_STEP] = hash_of(hash);
		if (i < MEMORY_STEP)
			hash = hash_frame(hash, f);
		if (i >= 0) {
			memory->frames[i] = f->memory;
			memory->interrupts |= f->interrupt << i;
		}
	}
	read_regs(memory->regs, regs);
	for (hash = 0, reg = &regs->r11; reg <= &regs->di; reg++)
		hash = hash_add(hash, *reg);
	memory->other_regs = hash_of(hash);
}
