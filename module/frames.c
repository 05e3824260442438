// SPDX-License-Identifier: GPL-2.0
/*
 * Turns the frames of a sample into names.
 *
 * A stack that was taken by an interrupt has been cut at the interrupted
 * instruction when it was taken (sample.c). The stack at the end of a softirq
 * window has no such mark, as it was taken from a softirq handler of ours: its
 * upper frames are found here by name. They are ours and the softirq core's, and
 * those of the interrupt on whose way out the softirq ran.
 *
 * Context: process.
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "frames.h"
#include "sample.h"

/* A task in user space has no kernel stack; a module may be gone. */
#define FRAME_USER	"[user]"
#define FRAME_UNKNOWN	"[unknown]"

/*
 * The functions that run softirq handlers, under the names they have had. All names
 * are compared by their beginnings: compilers add .isra.0 and the like.
 */
static const char * const softirq_runners[] = {
	"handle_softirqs", "__do_softirq", "__softirqentry_text_start",
};

/* What may call these, up to an interrupt's entry. */
static const char * const softirq_callers[] = {
	"__do_softirq", "__softirqentry_text_start", "do_softirq",
	"__irq_exit_rcu", "irq_exit", "run_ksoftirqd", "run_ktimerd",
	"run_timersd", "asm_call_", "sysvec_", "instr_sysvec_", "asm_sysvec_",
	"common_interrupt", "asm_common_interrupt", "ret_from_intr",
};

/*
 * A frame holds a return address, which may already belong to the next function
 * when the call was the last thing in its own: look one byte before. Only the
 * first frame of a stack that an interrupt took is the instruction itself.
 */
static bool is_return_address(const struct sample *sample, unsigned int i)
{
	return i > 0 || sample->state == STATE_OVER;
}

/* What is printed for an address without a symbol. */
static bool is_address(const char *name)
{
	return strstarts(name, "0x");
}

/* "function" or "function [module]"; false when no symbol is known. */
static bool name_of(const struct sample *sample, unsigned int i,
		    char name[KSYM_SYMBOL_LEN])
{
	unsigned long addr = sample->entries[i] - is_return_address(sample, i);

	snprintf(name, KSYM_SYMBOL_LEN, "%ps", (void *)addr);
	return !is_address(name);
}

static bool begins_as(const char *name, const char * const *list, size_t nr)
{
	while (nr--)
		if (strstarts(name, list[nr]))
			return true;
	return false;
}

static bool is_softirq_runner(const char *name)
{
	return begins_as(name, softirq_runners, ARRAY_SIZE(softirq_runners));
}

static bool is_softirq_caller(const char *name)
{
	return begins_as(name, softirq_callers, ARRAY_SIZE(softirq_callers));
}

/* The first frame to show. @name is for scratch. */
static unsigned int first_frame(const struct sample *sample,
				char name[KSYM_SYMBOL_LEN])
{
	unsigned int i;

	if (sample->state != STATE_OVER)
		return 0;

	for (i = 0; i < sample->nr_entries; i++)
		if (name_of(sample, i, name) && is_softirq_runner(name))
			break;
	if (i == sample->nr_entries)
		return 0;

	while (++i < sample->nr_entries)
		if (!name_of(sample, i, name) || !is_softirq_caller(name))
			break;
	return i;
}

void frames_show(struct seq_file *m, const struct sample *sample)
{
	char name[KSYM_SYMBOL_LEN];
	unsigned int i;

	/* Looked up once a line: a module may go away in between. */
	if (sample->user)
		seq_puts(m, "     " FRAME_USER "\n");

	for (i = first_frame(sample, name); i < sample->nr_entries; i++) {
		void *addr = (void *)sample->entries[i];

		snprintf(name, KSYM_SYMBOL_LEN,
			 is_return_address(sample, i) ? "%pB" : "%pS", addr);
		seq_printf(m, "     %s\n",
			   is_address(name) ? FRAME_UNKNOWN : name);
	}
}

void frames_show_folded(struct seq_file *m, const struct sample *sample)
{
	char name[KSYM_SYMBOL_LEN];
	unsigned int first = first_frame(sample, name);
	unsigned int i = sample->nr_entries;

	if (i == first)
		seq_puts(m, sample->user ? FRAME_USER : "-");

	while (i-- > first) {
		bool known = name_of(sample, i, name);
		char *module = strchr(name, ' ');

		if (module)
			memmove(module, module + 1, strlen(module));
		seq_printf(m, "%s%s", known ? name : FRAME_UNKNOWN,
			   i > first ? ";" : "");
	}
}
