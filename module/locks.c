// SPDX-License-Identifier: GPL-2.0
/*
 * Which lock a CPU waited for.
 *
 * The slow path of a spinlock has the lock's address as its first argument, in rdi. Where
 * it waits it calls nothing, and the compilers of all kernels that were tried (Debian's 5.10
 * to 7.3 of x86) leave the address where it came: whether the CPU is the next one to have the lock,
 * the one after it, or further behind. So two looks with the same address there wait for the same
 * lock. The other way round it is no proof: another compiler may put another address there,
 * which then is the same for the CPU's own node of the queue, and no other's.
 *
 * In guests with paravirtual spinlocks, in rwlocks and on arm64 this was not tried: no lock is
 * told there.
 *
 * Addresses are secrets: what is printed is a hash of it, with a key of this loading.
 *
 * Context: process.
 */
#include <linux/kallsyms.h>
#include <linux/random.h>
#include <linux/siphash.h>
#include <linux/string.h>

#include "frames.h"
#include "locks.h"
#include "recorder.h"
#include "sample.h"

static siphash_key_t key;

void locks_init(void)
{
	get_random_bytes(&key, sizeof(key));
}

static bool waits(const struct sample *sample)
{
	char name[KSYM_SYMBOL_LEN];

	return sample->first_argument && sample->nr_entries &&
	       frames_name(sample, 0, name) &&
	       !strcmp(name, "native_queued_spin_lock_slowpath");
}

bool locks_awaited(const struct record *record, u32 *lock)
{
	unsigned long addr = 0;
	unsigned int i;

	for (i = 0; i < record->nr_samples; i++) {
		const struct sample *sample = &record->samples[i];

		if (!waits(sample))
			continue;
		if (addr && addr != sample->first_argument)
			return false;
		addr = sample->first_argument;
	}
	*lock = siphash_1u64(addr, &key);
	return addr;
}
