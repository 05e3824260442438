// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Prints the frames of a sample, and locks, as symbols, never as addresses. A sample keeps
 * addresses, as finding symbols takes too long in an interrupt. BPF programs come and go unnoticed:
 * their frames may get a wrong name. Context: process or panic.
 */
#include <linux/kallsyms.h>
#include <linux/kconfig.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "compat.h"
#include "record/sample.h"
#include "record/stack.h"
#include "show/files.h"
#include "show/prologue.h"

#define FRAME_USER	"[user]"	/* a task in user space has no kernel stack */
#define FRAME_UNKNOWN	"[unknown]"
#define GONE_MAX	256
#define LOCKS_MAX	256

/*
 * Code of a module that has gone, or of its init functions. When a module goes, its symbols go too,
 * and another module may get its memory.
 */
struct gone {
	u64 gone_ns;		/* when the code went, CLOCK_MONOTONIC */
	unsigned long base;	/* its first address */
	unsigned long size;	/* in bytes */
	char module[MODULE_NAME_LEN];
};

/*
 * Protects the variables below, and those of went_on.c. A module that goes waits for the
 * mutex, so its symbols stay.
 */
static DEFINE_MUTEX(symbols_mutex);
static struct gone gone[GONE_MAX];	/* a ring */
static unsigned int nr_gone;		/* since load */
static u64 forgotten_ns;		/* @gone_ns of the last module that the ring has lost */

static void symbols_add_gone(const struct module *module, bool init)
{
	unsigned long base, size;
	struct gone *g;

	compat_module_text(module, init, &base, &size);
	if (!size)
		return;
	mutex_lock(&symbols_mutex);
	g = &gone[nr_gone++ % GONE_MAX];
	forgotten_ns = g->gone_ns;
	g->gone_ns = ktime_get_ns();
	g->base = base;
	g->size = size;
	strscpy(g->module, module->name, sizeof(g->module));
	mutex_unlock(&symbols_mutex);
}

/* The init functions go when they have run. If they fail, all of the module goes. */
static int symbols_on_module(struct notifier_block *block, unsigned long state, void *data)
{
	if (state == MODULE_STATE_GOING)
		symbols_add_gone(data, false);
	if (state == MODULE_STATE_GOING || state == MODULE_STATE_LIVE)
		symbols_add_gone(data, true);
	return NOTIFY_OK;
}

void symbols_lock(void)
{
	mutex_lock(&symbols_mutex);
}

void symbols_unlock(void)
{
	mutex_unlock(&symbols_mutex);
}

static struct notifier_block modules = { .notifier_call = symbols_on_module };

/* Return: the module that was at @addr at @at_ns and has gone since, or NULL. */
static const struct gone *symbols_find_gone(unsigned long addr, u64 at_ns)
{
	unsigned int i;

	for (i = nr_gone - min_t(unsigned int, nr_gone, GONE_MAX); i != nr_gone; i++) {
		const struct gone *g = &gone[i % GONE_MAX];

		if (addr - g->base < g->size && at_ns <= g->gone_ns)
			return g;
	}
	return NULL;
}

/* "function+offset/size [module]", or "[module]+offset". Return: whether the symbol is known. */
static bool symbol_of(const struct sample *sample, unsigned int i, char name[KSYM_SYMBOL_LEN])
{
	unsigned long addr = sample->entries[i];
	/* A return address may lie past the end of its function. */
	bool is_return = i > 0 || sample->state == STATE_UNKNOWN;
	const struct gone *g;
	bool forgotten;

	forgotten = sample->at_ns <= forgotten_ns;
	g = forgotten ? NULL : symbols_find_gone(addr, sample->at_ns);
	if (g)
		snprintf(name, KSYM_SYMBOL_LEN, "[%s]+0x%lx", g->module, addr - g->base);
	else
		snprintf(name, KSYM_SYMBOL_LEN, is_return ? "%pB" : "%pS", (void *)addr);
	/* An address without a symbol is printed as a number. */
	if (strstarts(name, "0x"))
		return false;
	/* The ring has lost the modules of that time: the name may be of a later module. */
	return !forgotten || !strchr(name, '[');
}

/* The functions that run softirq handlers, on 5.10 and later. */
static const char * const softirq_runners[] = {
	"handle_softirqs", "__do_softirq", "__softirqentry_text_start", NULL
};

/* Their callers, up to the entry of an interrupt. */
static const char * const softirq_callers[] = {
	"__do_softirq", "__softirqentry_text_start", "do_softirq", "__irq_exit_rcu", "irq_exit",
	"run_ksoftirqd", "run_ktimerd", "run_timersd", "asm_call_", "sysvec_", "instr_sysvec_",
	"asm_sysvec_", "common_interrupt", "asm_common_interrupt", "ret_from_intr",
	/* arm64 */
	"____do_softirq", "call_on_irq_stack", "el1_interrupt", "el1h_64_irq", "el0_interrupt",
	"__el0_irq_handler", "el0t_64_irq", "el1_irq", "el0_irq", "handle_domain_irq",
	"__handle_domain_irq", "gic_handle_irq", NULL
};

/* "function", "function [module]" or "[module]". Return: whether the symbol is known. */
static bool function_of(const struct sample *sample, unsigned int i, char name[KSYM_SYMBOL_LEN])
{
	char *offset, *rest;

	if (!symbol_of(sample, i, name))
		return false;
	offset = strchrnul(name, '+');
	rest = strchrnul(offset, ' ');
	memmove(offset, rest, strlen(rest) + 1);
	return true;
}

/*
 * Is the function of frame @i one of @list, which ends with NULL? Only the beginnings of names are
 * compared: a compiler may have added .isra.0, for example. @name: gets the name of the function.
 */
static bool is_listed(const struct sample *sample, unsigned int i, const char * const *list,
		      char name[KSYM_SYMBOL_LEN])
{
	if (function_of(sample, i, name))
		for (; *list; list++)
			if (strstarts(name, *list))
				return true;
	return false;
}

/*
 * The first frame to print. The stack at the end of a softirq window starts in our softirq handler:
 * leave out the frames of the handler, and of the interrupt that ran softirqs on its way out.
 */
static unsigned int first_frame(const struct sample *sample, char name[KSYM_SYMBOL_LEN])
{
	unsigned int first = 0, i;

	if (sample->state != STATE_UNKNOWN)
		return 0;

	for (i = 0; i < sample->nr_entries; i++) {
		if (is_listed(sample, i, first ? softirq_callers : softirq_runners, name))
			first = i + 1;
		else if (first)
			break;
	}
	return first;
}

unsigned long symbols_find(const struct sample *sample, unsigned int i)
{
	static char name[KSYM_SYMBOL_LEN];
	unsigned long offset;

	if (i >= sample->nr_entries || !symbol_of(sample, i, name) || *name == '[' ||
	    strstr(name, ".cold") || sscanf(strchrnul(name, '+'), "+%lx/", &offset) != 1)
		return 0;
	return sample->entries[i] - offset;
}

bool symbols_is_stale(const struct sample *sample)
{
	unsigned long addr = sample->entries[1], ip = sample->entries[0], function, offset, size;
	static char name[KSYM_SYMBOL_LEN];
	struct prologue prologue;

	if (!sample->inserted)
		return false;
	/* The unwinder found the same caller by its frame. */
	if (sample->nr_entries > 2 && addr == sample->entries[2])
		return true;
	/* A function that has called another one: on arm64, the address may lie in the function. */
	if (!symbol_of(sample, 0, name) ||
	    sscanf(strchrnul(name, '+'), "+%lx/%lx", &offset, &size) != 2)
		return true;
	function = ip - offset;
	if (addr - function < size)
		return true;
	/* With a frame, the unwinder has found the caller: the word is from an earlier call. */
	if (IS_ENABLED(CONFIG_X86_64) && prologue_read(function, ip, &prologue) &&
	    prologue.has_frame)
		return true;
	return !symbol_of(sample, 1, name) || !stack_is_caller(addr, ip, function);
}

/* Return: whether frame @i is left out. */
static bool is_stale(const struct sample *sample, unsigned int i)
{
	return i == 1 && symbols_is_stale(sample);
}

unsigned int symbols_position(const struct sample *sample, unsigned int i)
{
	return sample->nr_entries - i - (!i && symbols_is_stale(sample));
}

void symbols_show(struct seq_file *m, const struct sample *sample)
{
	static char name[KSYM_SYMBOL_LEN];
	unsigned int first = first_frame(sample, name), i;

	if (sample->user)
		seq_puts(m, "     " FRAME_USER "\n");

	for (i = first; i < sample->nr_entries; i++)
		if (!is_stale(sample, i))
			seq_printf(m, "     %s\n",
				   symbol_of(sample, i, name) ? name : FRAME_UNKNOWN);
}

void symbols_show_folded(struct seq_file *m, const struct sample *sample)
{
	static char name[KSYM_SYMBOL_LEN];
	unsigned int first = first_frame(sample, name);
	unsigned int i = sample->nr_entries;

	if (i == first)
		seq_puts(m, sample->user ? FRAME_USER : "-");

	while (i-- > first) {
		bool known = function_of(sample, i, name);
		char *module = known ? strchr(name, ' ') : NULL;

		if (is_stale(sample, i))
			continue;
		if (module)
			memmove(module, module + 1, strlen(module));
		seq_printf(m, "%s%s", known ? name : FRAME_UNKNOWN, i > first ? ";" : "");
	}
}

/* Locks without a symbol, in the order in which they were first printed; not shown when full. */
static unsigned long locks[LOCKS_MAX];

static const char * const slow_paths[] = {
	"native_queued_spin_lock_slowpath", "queued_spin_lock_slowpath",
	"resilient_queued_spin_lock_slowpath", NULL
};

static unsigned int lock_number(unsigned long lock)
{
	unsigned int i;

	for (i = 0; i < LOCKS_MAX && locks[i] && locks[i] != lock; i++)
		;
	if (i < LOCKS_MAX)
		locks[i] = lock;
	return i < LOCKS_MAX ? i + 1 : 0;
}

/*
 * Names the spinlock for which a sample waits: in the slow path, the register of the first argument
 * still has its address. moved.sh checks this on each tested kernel. Not on arm64, not in the slow
 * path of a guest (__pv_), and not in that of a reader-writer lock, where other values were seen:
 * only the spinlock inside of such a lock is named.
 */
bool symbols_find_lock(const struct sample *sample, char name[KSYM_SYMBOL_LEN])
{
	unsigned long lock = sample->argument;
	unsigned int number;
	char *plus, *module;

	if (!IS_ENABLED(CONFIG_X86_64) || (long)lock >= 0 || sample->user || !sample->nr_entries ||
	    !is_listed(sample, 0, slow_paths, name))
		return false;

	snprintf(name, KSYM_SYMBOL_LEN, "%pS", (void *)lock);
	plus = strchrnul(name, '+');
	/* A lock_class_key may have no size, and the address of the lock. */
	if (!strstarts(name, "0x") && !strstarts(name, "__key") && *plus) {
		/* "name+offset/size [module]" becomes "name[module]" */
		module = strchr(plus, '[');
		memmove(plus, module ?: "", strlen(module ?: "") + 1);
		return true;
	}
	number = lock_number(lock);
	snprintf(name, KSYM_SYMBOL_LEN, "#%u", number);
	return number;
}

int symbols_init(void)
{
	return register_module_notifier(&modules);
}

void symbols_exit(void)
{
	unregister_module_notifier(&modules);
}
