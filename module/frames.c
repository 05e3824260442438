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
#include "names.h"
#include "record/sample.h"
#include "record/stack.h"

/* A task in user space has no kernel stack; not all that is gone has left a name. */
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
	/* arm64 */
	"____do_softirq", "call_on_irq_stack", "el1_interrupt", "el1h_64_irq",
	"el0_interrupt", "__el0_irq_handler", "el0t_64_irq", "el1_irq", "el0_irq",
	"handle_domain_irq", "__handle_domain_irq", "gic_handle_irq",
};

/* "function" or "function [module]"; false when no symbol is known. */
static bool name_of(const struct sample *sample, unsigned int i,
		    char name[KSYM_SYMBOL_LEN])
{
	char *offset;

	if (!names_lookup(sample, i, name))
		return false;
	offset = strchr(name, '+');
	if (offset)
		memmove(offset, strchrnul(offset, ' '),
			strlen(strchrnul(offset, ' ')) + 1);
	return true;
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

/* Is the second frame, behind @first, no caller? */
static bool is_stale(const struct sample *sample, unsigned int first,
		     unsigned int i)
{
	char name[KSYM_SYMBOL_LEN], called[KSYM_SYMBOL_LEN];

	if (!STACK_MAY_BE_STALE || i != first + 1)
		return false;
	/* It is there once more by way of its frame. */
	if (i + 1 < sample->nr_entries &&
	    sample->entries[i] == sample->entries[i + 1])
		return true;
	return !name_of(sample, i, name) ||
	       !stack_is_return(sample->entries[i]) ||
	       (name_of(sample, first, called) && !strcmp(name, called));
}

void frames_show(struct seq_file *m, const struct sample *sample)
{
	char name[KSYM_SYMBOL_LEN];
	unsigned int first = first_frame(sample, name), i;

	if (sample->user)
		seq_puts(m, "     " FRAME_USER "\n");

	for (i = first; i < sample->nr_entries; i++)
		if (!is_stale(sample, first, i))
			seq_printf(m, "     %s\n", names_lookup(sample, i, name) ?
						    name : FRAME_UNKNOWN);
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
		char *module = known ? strchr(name, ' ') : NULL;

		if (is_stale(sample, first, i))
			continue;
		if (module)
			memmove(module, module + 1, strlen(module));
		seq_printf(m, "%s%s", known ? name : FRAME_UNKNOWN,
			   i > first ? ";" : "");
	}
}
