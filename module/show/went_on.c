// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Which function went on between two samples? A function that waits for one long call does not
 * change: its call site, its local variables and its registers stay the same, also in the stack,
 * where functions that it calls have saved these registers. A function that loops changes one of
 * them. Each change belongs to one function:
 *
 *	which function a frame calls		the function of the frame
 *	where a frame is in its code		the function of the frame
 *	a register				the innermost function that saves the register
 *						for its caller, to use it itself
 *	another word of a frame			the function of the frame, or a function that has
 *						a pointer to the word
 *
 * The outermost function with a change went on. Because of pointers, there are two answers: @sure
 * does not count other words, @any does. Frames are numbered from the outside; 0 is the outermost
 * one. Context: symbols_lock().
 */
#include <linux/bits.h>
#include <linux/kconfig.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "record/sample.h"
#include "show/files.h"
#include "show/prologue.h"

#define NOTHING		INT_MAX

/* One of the two samples; in the arrays, frame number @first comes first. */
struct side {
	const struct stack_memory *memory;
	int first;
	int innermost;	/* number of the innermost frame */
	int known;	/* from here on inwards, the code of all functions is known */
	code_addr addrs[MEMORY_FRAMES];		/* of instructions */
	unsigned long functions[MEMORY_FRAMES];	/* their functions */
	struct prologue prologues[MEMORY_FRAMES];
};

struct went_on {
	struct side before, now;
	int first;	/* frames from here on inwards are compared one by one */
	int common;	/* both stacks have the same functions from the outside up to this frame */
	int sure;
	int any;
	bool failed;	/* the owner of a change is not known */
};

/* Return: false if the unwinder may have missed the innermost function's caller. */
static bool read_side(struct side *side, const struct sample *sample)
{
	bool stale = symbols_is_stale(sample);
	int n, i, k;

	side->memory = &sample->memory;
	side->first = sample->memory.first;
	side->innermost = sample->memory.depth - 1;
	side->known = side->first;
	for (n = 0, i = side->innermost - side->first; i >= 0; n++, i--) {
		struct prologue *prologue = &side->prologues[n];
		int entry = i == 1 && stale ? 0 : i;

		side->functions[n] = symbols_find(sample, entry);
		side->addrs[n] = sample->entries[entry];
		if (!side->functions[n] ||
		    !prologue_read(side->functions[n], sample->entries[entry], prologue)) {
			side->known = side->first + n + 1;
			continue;
		}
		if (side->memory->interrupts & BIT(n))
			prologue_of_interrupt(prologue);
		/* Only the return address: whatever code stands there, it has saved nothing. */
		if (side->memory->frames[n].others && !side->memory->frames[n].saved[0])
			*prologue = (struct prologue) { .complete = true };
		/* In its last instructions, a function has restored registers. */
		for (k = 0; !i && k < prologue->nr; k++)
			if (!side->memory->frames[n].saved[k] && prologue->saved[k] < NR_SAVED)
				prologue->uses &= ~BIT(prologue->saved[k]);
	}
	/* With frame pointers, the unwinder may have missed the innermost function's caller. */
	return !IS_ENABLED(CONFIG_UNWINDER_FRAME_POINTER) || side->prologues[n - 1].has_frame ||
	       (sample->inserted && !stale);
}

static void add(struct went_on *w, int number)
{
	w->sure = min(w->sure, number);
	w->any = min(w->any, number);
}

/*
 * Return: from @number outwards, the first function that uses register @reg in both samples, or
 * may use it: then @unsure is set, and also if it lies outside of all frames that are kept.
 */
static int owner_of(const struct went_on *w, int number, int reg, bool *unsure)
{
	for (; number >= w->first; number--) {
		const struct prologue *b = &w->before.prologues[number - w->before.first];
		const struct prologue *n = &w->now.prologues[number - w->now.first];

		*unsure = !(b->uses & n->uses & BIT(reg));
		if (!*unsure || !b->complete || !n->complete)
			return number;
	}
	*unsure = true;
	return number;
}

/*
 * Return: hash of a register as function @owner has it: in the frame of the next function that
 * saves the register, or still in the register; 0: not known.
 */
static u16 register_of(const struct side *side, int owner, int reg)
{
	int n, k;

	for (n = owner + 1 - side->first; n <= side->innermost - side->first; n++) {
		const struct prologue *prologue = &side->prologues[n];

		for (k = 0; k < prologue->nr; k++)
			if (prologue->saved[k] == reg && (prologue->uses & BIT(reg)))
				return side->memory->frames[n].saved[k];
		if ((prologue->uses & BIT(reg)) || !prologue->complete)
			return 0;
	}
	return side->memory->regs[reg];
}

/* Compare frame @number, which has the same function in both samples. */
static void compare_words(struct went_on *w, int number)
{
	const struct frame_memory *before = &w->before.memory->frames[number - w->before.first];
	const struct frame_memory *now = &w->now.memory->frames[number - w->now.first];
	const struct prologue *prologue = &w->now.prologues[number - w->now.first];
	bool unsure;
	int k, owner;

	if (before->others != now->others)
		w->any = min(w->any, number);
	for (k = 0; k < NR_SAVED; k++) {
		/* 0: the function has not saved the register yet, or has restored it. */
		if (!before->saved[k] || !now->saved[k] || before->saved[k] == now->saved[k])
			continue;
		if (k < prologue->nr && prologue->saved[k] < NR_SAVED) {
			owner = owner_of(w, number - 1, prologue->saved[k], &unsure);
			w->failed |= unsure;
			add(w, owner);
		} else {
			w->any = min(w->any, number);
		}
	}
}

static void compare_frames(struct went_on *w)
{
	int number = w->first;
	unsigned long caller = 0;	/* address in the caller, if both samples have the same */

	w->common = number - 1;
	for (; number <= w->now.innermost && number <= w->before.innermost; number++) {
		int b = number - w->before.first, n = number - w->now.first;

		if (w->before.functions[b] != w->now.functions[n]) {
			/* The caller has called one of the two, which has jumped to the other. */
			if (caller && (prologue_is_called(w->before.functions[b], caller) ||
				       prologue_is_called(w->now.functions[n], caller))) {
				add(w, number);
				return;
			}
			break;
		}
		w->common = number;
		caller = w->now.addrs[n];
		if (w->before.addrs[b] != w->now.addrs[n]) {
			add(w, number);
			caller = 0;
		}
		compare_words(w, number);
	}
	/* It called different functions, or none in one sample; or the same leaf has changed. */
	if (w->common < max(w->now.innermost, w->before.innermost) ||
	    w->before.memory->other_regs != w->now.memory->other_regs)
		add(w, w->common);
}

/* A register of a function further out than what is known to have changed. */
static void compare_registers(struct went_on *w)
{
	u16 before, now;
	int reg, owner;
	bool unsure;

	for (reg = 0; reg < NR_SAVED; reg++) {
		owner = owner_of(w, w->common, reg, &unsure);
		if (owner >= w->sure)
			continue;
		before = register_of(&w->before, owner, reg);
		now = register_of(&w->now, owner, reg);
		if (!before || !now || (before != now && unsure))
			w->failed = true;
		else if (before != now)
			add(w, owner);
	}
}

/* Are the frames the same that are not kept of both? */
static bool same_not_kept(const struct stack_memory *before, const struct stack_memory *now)
{
	unsigned int first = max(before->first, now->first);
	unsigned int b = (first - before->first) / MEMORY_STEP;
	unsigned int n = (first - now->first) / MEMORY_STEP;

	return first < before->depth && first < now->depth &&
	       b < ARRAY_SIZE(before->outer) && n < ARRAY_SIZE(now->outer) &&
	       before->outer[b] == now->outer[n];
}

/* Are the frames the same of which some code is not known? */
static bool same_unknown(struct went_on *w)
{
	int number;

	w->first = max(w->before.known, w->now.known);
	for (number = max(w->before.first, w->now.first); number < w->first; number++) {
		int b = number - w->before.first, n = number - w->now.first;

		if (number > w->before.innermost || number > w->now.innermost ||
		    w->before.addrs[b] != w->now.addrs[n] ||
		    memcmp(&w->before.memory->frames[b], &w->now.memory->frames[n],
			   sizeof(struct frame_memory)))
			return false;
	}
	return w->first <= min(w->before.innermost, w->now.innermost);
}

static bool compare(struct went_on *w, const struct sample *before, const struct sample *now)
{
	int number;

	if (before->pid != now->pid || before->context != now->context ||
	    !same_not_kept(&before->memory, &now->memory) ||
	    !read_side(&w->before, before) || !read_side(&w->now, now) || !same_unknown(w))
		return false;
	compare_frames(w);
	compare_registers(w);
	if (w->failed || w->any < 0)
		return false;
	if (now->context != SAMPLE_IN_SOFTIRQ && now->context != SAMPLE_IN_INTERRUPT)
		return true;
	/* A change in interrupted code: the samples are of two runs of the handler. */
	for (number = w->now.innermost; number >= w->now.first; number--)
		if (w->now.memory->interrupts & BIT(number - w->now.first))
			return w->any > number;
	return true;
}

static void show_number(struct seq_file *m, const struct sample *sample, int number)
{
	int i = sample->memory.depth - 1 - number;

	if (number == NOTHING)
		seq_putc(m, '0');
	else if (i >= sample->nr_entries)
		seq_putc(m, '<');
	else
		seq_printf(m, "%u", symbols_position(sample, i));
}

void went_on_show(struct seq_file *m, const struct sample *samples, unsigned int i)
{
	static struct went_on w;

	memset(&w, 0, sizeof(w));
	w.sure = NOTHING;
	w.any = NOTHING;
	if (!IS_ENABLED(CONFIG_X86_64) || !i || !compare(&w, &samples[i - 1], &samples[i])) {
		seq_putc(m, '-');
		return;
	}
	show_number(m, &samples[i], w.sure == NOTHING ? w.any : w.sure);
	if (w.any != NOTHING) {
		seq_putc(m, ',');
		show_number(m, &samples[i], w.any);
	}
}
