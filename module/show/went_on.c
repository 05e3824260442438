// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Which function went on between two samples? A function that waits for one long call does not
 * change: its call site, its local variables and its registers stay the same, also in the stack,
 * where functions that it calls have saved these registers. A function that loops changes one of
 * them. So the outermost function to which something belongs that has changed is the one that went
 * on. What belongs to which function:
 *
 *	which function a frame calls		the function of the frame
 *	where a frame is in its code		the function of the frame
 *	a register				the innermost function that saves the register
 *						for its caller, to use it itself
 *	another word of a frame			the function of the frame, or a function that has
 *						a pointer to the word
 *
 * Because of such pointers there are two answers: with other words, and without them. Frames are
 * numbered from the outside; 0 is the outermost one. Context: process.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/seq_file.h>

#include "record/sample.h"
#include "show/files.h"
#include "show/prologue.h"

#define NOTHING		INT_MAX
#define EACH_REGISTER	(BIT(NR_SAVED) - 1)

/* One of the two samples */
struct side {
	const struct sample *sample;
	const struct stack_memory *memory;
	int innermost;			/* number of the innermost frame */
};

struct went_on {
	struct side before, now;
	int common;	/* innermost frame that has, like all outside, the same function in both */
	int sure;	/* number of the outermost function that went on */
	int any;	/* the same, by other words, too */
	bool failed;	/* code cannot be read */
};

static const struct frame_memory *memory_of(const struct side *side, int number)
{
	return &side->memory->frames[number - side->memory->first];
}

static bool is_interrupt(const struct side *side, int number)
{
	return number >= side->memory->first &&
	       side->memory->interrupts & BIT(number - side->memory->first);
}

/* Return: false if the frame is outside of what the sample has. */
static bool find_frame(struct went_on *w, const struct side *side, int number,
		       struct symbol *symbol, struct prologue *prologue)
{
	int i = side->innermost - number;

	*prologue = (struct prologue) {};
	if (i >= side->sample->nr_entries)
		return false;
	if (!symbols_find(side->sample, i, symbol) ||
	    !prologue_read(symbol->function, symbol->addr, prologue)) {
		w->failed = true;
		return false;
	}
	/* This code saves each register, in the order of struct stack_memory. */
	if (is_interrupt(side, number))
		*prologue = (struct prologue) {
			.nr = NR_SAVED, .saved = { 0, 1, 2, 3, 4, 5 }, .uses = EACH_REGISTER,
		};
	/* In its last instructions, a function has restored registers. */
	for (i = 0; number == side->innermost && i < prologue->nr; i++)
		if (!memory_of(side, number)->saved[i] && prologue->saved[i] < NR_SAVED)
			prologue->uses &= ~BIT(prologue->saved[i]);
	return true;
}

static void add_sure(struct went_on *w, int number)
{
	w->sure = min(w->sure, number);
	w->any = min(w->any, number);
}

/* From @number outwards: the first function that uses register @reg in both samples. */
static int owner_of(struct went_on *w, int number, int reg)
{
	struct prologue before, now;
	struct symbol symbol;

	for (; number >= 0; number--)
		if (!find_frame(w, &w->before, number, &symbol, &before) ||
		    !find_frame(w, &w->now, number, &symbol, &now) ||
		    (before.uses & now.uses & BIT(reg)))
			break;
	return number;
}

/*
 * Return: hash of a register as function @owner has left it: saved by the next function that uses
 * the register, or not saved yet; 0: not known.
 */
static u16 register_of(struct went_on *w, const struct side *side, int owner, int reg)
{
	struct prologue prologue;
	struct symbol symbol;
	int number, i;

	number = max_t(int, owner + 1, side->memory->first);
	for (; number <= side->innermost; number++) {
		if (!find_frame(w, side, number, &symbol, &prologue))
			return 0;
		if (!(prologue.uses & BIT(reg)))
			continue;
		for (i = 0; i < prologue.nr; i++)
			if (prologue.saved[i] == reg)
				return memory_of(side, number)->saved[i];
		return 0;
	}
	return side->memory->regs[reg];
}

/* Compare frame @number, which has the same function in both samples. */
static void compare_words(struct went_on *w, int number, const struct prologue *prologue)
{
	const struct frame_memory *before = memory_of(&w->before, number);
	const struct frame_memory *now = memory_of(&w->now, number);
	int i;

	if (before->others != now->others)
		w->any = min(w->any, number);
	for (i = 0; i < NR_SAVED; i++) {
		/* 0: the function has not saved the register yet, or has restored it. */
		if (!before->saved[i] || !now->saved[i] || before->saved[i] == now->saved[i])
			continue;
		if (i < prologue->nr && prologue->saved[i] < NR_SAVED)
			add_sure(w, owner_of(w, number - 1, prologue->saved[i]));
		else
			w->any = min(w->any, number);
	}
}

static void compare_frames(struct went_on *w)
{
	int number = max(w->before.memory->first, w->now.memory->first);
	struct prologue prologue;
	struct symbol before, now;

	w->common = number - 1;
	for (; number <= w->now.innermost && number <= w->before.innermost; number++) {
		if (!find_frame(w, &w->before, number, &before, &prologue) ||
		    !find_frame(w, &w->now, number, &now, &prologue))
			return;
		if (before.function != now.function)
			break;
		w->common = number;
		if (before.addr != now.addr)
			add_sure(w, number);
		compare_words(w, number, &prologue);
	}
	/* The function calls another one, or it called none when one of the samples was taken. */
	if (w->common < max(w->now.innermost, w->before.innermost))
		add_sure(w, w->common);
	else if (w->before.memory->other_regs != w->now.memory->other_regs)
		add_sure(w, w->common);
}

static void compare_registers(struct went_on *w)
{
	u16 before, now;
	int reg, owner;

	for (reg = 0; reg < NR_SAVED && !w->failed; reg++) {
		owner = owner_of(w, w->common, reg);
		before = register_of(w, &w->before, owner, reg);
		now = register_of(w, &w->now, owner, reg);
		if (before && now && before != now)
			add_sure(w, owner);
	}
}

/* Are the frames that are not kept the same? */
static bool same_outside(const struct stack_memory *before, const struct stack_memory *now)
{
	unsigned int first = max(before->first, now->first);
	unsigned int b = (first - before->first) / MEMORY_STEP;
	unsigned int n = (first - now->first) / MEMORY_STEP;

	return b < ARRAY_SIZE(before->outer) && n < ARRAY_SIZE(now->outer) &&
	       before->outer[b] == now->outer[n];
}

/* With frame pointers, the unwinder may have missed the caller of the innermost function. */
static bool knows_caller(struct went_on *w, const struct side *side)
{
	struct prologue prologue;
	struct symbol symbol;

	if (!IS_ENABLED(CONFIG_UNWINDER_FRAME_POINTER))
		return true;
	if (!find_frame(w, side, side->innermost, &symbol, &prologue))
		return false;
	return prologue.has_frame || (side->sample->inserted && side->innermost &&
		find_frame(w, side, side->innermost - 1, &symbol, &prologue) && !symbol.stale);
}

static bool compare(struct went_on *w)
{
	const struct sample *before = w->before.sample, *now = w->now.sample;
	int number;

	if (!w->before.memory->depth || !w->now.memory->depth || before->pid != now->pid ||
	    before->context != now->context || !same_outside(w->before.memory, w->now.memory) ||
	    !knows_caller(w, &w->before) || !knows_caller(w, &w->now))
		return false;
	compare_frames(w);
	if (!w->failed)
		compare_registers(w);
	if (w->failed || w->any < 0)
		return false;
	if (now->context != SAMPLE_IN_SOFTIRQ && now->context != SAMPLE_IN_INTERRUPT)
		return true;
	/* The interrupted code went on: this is another run of the handler. */
	for (number = w->now.innermost; number >= w->now.memory->first; number--)
		if (is_interrupt(&w->now, number))
			return w->any > number;
	return true;
}

static void show_number(struct seq_file *m, const struct side *side, int number)
{
	int i = side->innermost - number;

	if (number == NOTHING)
		seq_putc(m, '0');
	else if (i >= side->sample->nr_entries)
		seq_putc(m, '<');
	else
		seq_printf(m, "%u", symbols_position(side->sample, i));
}

void went_on_show(struct seq_file *m, const struct sample *samples,
		  const struct stack_memory *memories, unsigned int i)
{
	struct went_on w = { .sure = NOTHING, .any = NOTHING };

	if (i) {
		w.before = (struct side) { samples + i - 1, memories + i - 1,
					   memories[i - 1].depth - 1 };
		w.now = (struct side) { samples + i, memories + i, memories[i].depth - 1 };
	}
	if (!i || !compare(&w)) {
		seq_putc(m, '-');
		return;
	}
	show_number(m, &w.now, w.sure == NOTHING ? w.any : w.sure);
	if (w.any != NOTHING) {
		seq_putc(m, ',');
		show_number(m, &w.now, w.any);
	}
}
