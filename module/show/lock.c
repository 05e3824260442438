// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Names the lock for which a sample waits: in the slow path of a lock, the register of the first
 * argument still has its address. (Shown by selftests/module/moved.sh, for each kernel.) Not on
 * arm64, and not in the slow path of a guest (__pv_), where other code may use the register.
 * Context: process.
 */
#include <linux/kconfig.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "show/files.h"

#define LOCKS_MAX	256

/* Locks without a symbol, in the order in which they were first printed; not shown when full. */
static DEFINE_MUTEX(locks_mutex);
static unsigned long locks[LOCKS_MAX];

static const char * const spin_paths[] = {
	"native_queued_spin_lock_slowpath", "queued_spin_lock_slowpath",
	"resilient_queued_spin_lock_slowpath", NULL
};

static const char * const rw_paths[] = {
	"queued_read_lock_slowpath", "queued_write_lock_slowpath", NULL
};

static unsigned int lock_number(unsigned long lock)
{
	unsigned int i;

	mutex_lock(&locks_mutex);
	for (i = 0; i < LOCKS_MAX && locks[i] && locks[i] != lock; i++)
		;
	if (i < LOCKS_MAX)
		locks[i] = lock;
	mutex_unlock(&locks_mutex);
	return i < LOCKS_MAX ? i + 1 : 0;
}

bool lock_find(const struct sample *sample, char name[KSYM_SYMBOL_LEN])
{
	unsigned long lock = sample->argument, offset, size;
	unsigned int number;
	char *plus, *module;

	if (!IS_ENABLED(CONFIG_X86_64) || (long)lock >= 0 || sample->user || !sample->nr_entries)
		return false;
	if (symbols_is_listed(sample, 0, spin_paths, name)) {
#ifdef CONFIG_QUEUED_RWLOCKS
		/* The waiters of a reader-writer lock queue for a spinlock in it. */
		if (sample->nr_entries > 1 && symbols_is_listed(sample, 1, rw_paths, name))
			lock -= offsetof(struct qrwlock, wait_lock);
#endif
	} else if (!symbols_is_listed(sample, 0, rw_paths, name)) {
		return false;
	}

	snprintf(name, KSYM_SYMBOL_LEN, "%pS", (void *)lock);
	plus = strchrnul(name, '+');
	if (!strstarts(name, "0x") && sscanf(plus, "+%lx/%lx", &offset, &size) == 2) {
		/* "name+offset/size [module]" becomes "name[module]" */
		module = strchr(plus, '[');
		memmove(plus, module ?: "", strlen(module ?: "") + 1);
		return true;
	}
	number = lock_number(lock);
	snprintf(name, KSYM_SYMBOL_LEN, "#%u", number);
	return number;
}
