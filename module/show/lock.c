// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Names the spinlock for which a sample waits: in the slow path, the register of the first argument
 * still has its address. moved.sh checks this on each tested kernel. Not on arm64, not in the slow
 * path of a guest (__pv_), and not in that of a reader-writer lock, where other values were seen:
 * only the spinlock inside of such a lock is named. Context: symbols_lock().
 */
#include <linux/kconfig.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "show/files.h"

#define LOCKS_MAX	256

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

bool lock_find(const struct sample *sample, char name[KSYM_SYMBOL_LEN])
{
	unsigned long lock = sample->argument;
	unsigned int number;
	char *plus, *module;

	if (!IS_ENABLED(CONFIG_X86_64) || (long)lock >= 0 || sample->user || !sample->nr_entries ||
	    !symbols_is_listed(sample, 0, slow_paths, name))
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
