// SPDX-License-Identifier: GPL-2.0
/*
 * Names of functions, also of those that have been unloaded since.
 *
 * A look keeps addresses, as to find their names takes too long where it is taken. When a
 * module goes, or the memory of its init functions does, its names go too, and the memory
 * may soon be somebody else's. So before that the frames of all looks that lie there are
 * named here. An address that was taken earlier than a module went, in what was
 * its memory, is that module's and nobody's after it.
 *
 * What is kept is bounded. When there is too much, frames are known by their module only,
 * and in the end not at all; never by the name of another.
 *
 * Programs of BPF come and go without a word to modules: what is gone of these is unknown,
 * or named after what lies there now.
 *
 * Context: process. The mutex also keeps a module from going while its names are read; no
 * CPU is waited for with it, so memory is not taken from vmalloc().
 */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "detect/nmi.h"
#include "compat.h"
#include "names.h"
#include "record/recorder.h"
#include "detect/softirq.h"
#include "record/window.h"

#define GONE_MAX	32	/* modules */
#define FRAMES_MAX	512	/* of each */

/* A frame that is named, or to be named. */
struct frame {
	unsigned long addr;
	bool is_return;
	char *name;
};

/**
 * struct gone - text of a module that is not there any more
 * @node: among those of others
 * @gone_ns: when it went, CLOCK_MONOTONIC
 * @base: where it was
 * @size: in bytes
 * @module: whose
 * @used: a look that can still be read lies there
 * @nr: how many of @frames there are
 * @frames: in the order of their addresses
 */
struct gone {
	struct list_head node;
	u64 gone_ns;
	unsigned long base;
	unsigned long size;
	char module[MODULE_NAME_LEN];
	bool used;
	unsigned int nr;
	struct frame frames[FRAMES_MAX];
};

/* Held for all that follows. */
static DEFINE_MUTEX(names_mutex);
static LIST_HEAD(all_gone);	/* the first that went is the first */
static unsigned int nr_gone;
static u64 forgotten_ns;	/* of looks until then nobody knows whose module they lie in */

/* Copies to look through. */
static struct record record;
static struct window window;
static struct sample early;

static bool lies_in(const struct gone *gone, unsigned long addr)
{
	return addr - gone->base < gone->size;
}

/* What lay there then may be forgotten, and what is known to have gone may have come after it. */
static bool is_forgotten(const struct sample *sample)
{
	return sample->at_ns <= forgotten_ns;
}

/* Whose an address was at a time, if that is gone. */
static struct gone *find_gone(unsigned long addr, u64 at_ns)
{
	struct gone *gone;

	list_for_each_entry(gone, &all_gone, node)
		if (lies_in(gone, addr) && at_ns <= gone->gone_ns)
			return gone;
	return NULL;
}

/* Return: where a frame is, or would have to be. */
static unsigned int place_of(const struct gone *gone, unsigned long addr,
			     bool is_return)
{
	unsigned int low = 0, high = gone->nr, middle;

	while (low < high) {
		const struct frame *frame;

		middle = (low + high) / 2;
		frame = &gone->frames[middle];
		if (frame->addr < addr ||
		    (frame->addr == addr && frame->is_return < is_return))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_at(const struct gone *gone, unsigned int place,
		  unsigned long addr, bool is_return)
{
	return place < gone->nr && gone->frames[place].addr == addr &&
	       gone->frames[place].is_return == is_return;
}

/* The frames of a look that lie in what goes. */
static void note_frames(struct gone *going, const struct sample *sample)
{
	unsigned int i, place;

	if (is_forgotten(sample))
		return;
	for (i = 0; i < min_t(unsigned int, sample->nr_entries, SAMPLE_DEPTH); i++) {
		unsigned long addr = sample->entries[i];
		bool is_return = sample_is_return(sample, i);
		struct gone *gone = find_gone(addr, sample->at_ns);

		if (gone)
			gone->used = true;
		if (gone || !lies_in(going, addr))
			continue;

		going->used = true;
		place = place_of(going, addr, is_return);
		if (is_at(going, place, addr, is_return) ||
		    going->nr == FRAMES_MAX)
			continue;
		memmove(&going->frames[place + 1], &going->frames[place],
			(going->nr++ - place) * sizeof(*going->frames));
		going->frames[place] = (struct frame) {
			.addr = addr,
			.is_return = is_return,
		};
	}
}

static void note_window(struct gone *going, const struct window *from)
{
	unsigned int i;

	if (window_read(from, &window))
		for (i = 0; i < window.nr; i++)
			note_frames(going, &window.samples[i]);
}

/* All looks that can be read, or will be: a window that closes meanwhile is a record. */
static void note_looks(struct gone *going)
{
	u64 seq, end;
	unsigned int i;
	int cpu;

	for_each_possible_cpu(cpu) {
		note_window(going, nmi_window(cpu));
		note_window(going, softirqs_window(cpu));
		/* If it is being written, what is nonsense lies in no module. */
		data_race(early = *softirqs_early(cpu));
		note_frames(going, &early);
	}

	for (recorder_range(&seq, &end); seq < end; seq++) {
		cond_resched();
		if (!recorder_read(seq, &record))
			continue;
		for (i = 0; i < record.nr_samples; i++)
			note_frames(going, &record.samples[i]);
		note_frames(going, &record.end);
	}
}

static void print_name(unsigned long addr, bool is_return,
		       char name[KSYM_SYMBOL_LEN])
{
	snprintf(name, KSYM_SYMBOL_LEN, is_return ? "%pB" : "%pS",
		 (void *)addr);
}

/* What is printed for an address without a symbol. */
static bool is_address(const char *name)
{
	return strstarts(name, "0x");
}

static void give_names(struct gone *going)
{
	static char name[KSYM_SYMBOL_LEN];
	unsigned int i;

	for (i = 0; i < going->nr; i++) {
		struct frame *frame = &going->frames[i];

		print_name(frame->addr, frame->is_return, name);
		if (!is_address(name))
			frame->name = kstrdup(name, GFP_KERNEL);
	}
}

static void forget(struct gone *gone)
{
	unsigned int i;

	list_del(&gone->node);
	nr_gone--;
	for (i = 0; i < gone->nr; i++)
		kfree(gone->frames[i].name);
	kfree(gone);
}

/* Those that no look lies in any more; and the oldest, if there are too many. */
static void forget_some(void)
{
	struct gone *gone, *next;

	list_for_each_entry_safe(gone, next, &all_gone, node) {
		if (gone->used && nr_gone < GONE_MAX)
			continue;
		if (gone->used)
			forgotten_ns = max(forgotten_ns, gone->gone_ns);
		forget(gone);
	}
}

static void text_goes(const struct module *module, bool init)
{
	unsigned long base, size;
	struct gone *going, *gone;

	compat_module_text(module, init, &base, &size);
	if (!size)
		return;

	mutex_lock(&names_mutex);
	going = kzalloc(sizeof(*going), GFP_KERNEL | __GFP_NOWARN);
	if (!going) {
		forgotten_ns = ktime_get_ns();
		goto unlock;
	}

	going->base = base;
	going->size = size;
	strscpy(going->module, module->name, sizeof(going->module));
	list_for_each_entry(gone, &all_gone, node)
		gone->used = false;
	note_looks(going);
	forget_some();
	going->gone_ns = ktime_get_ns();
	if (going->used) {
		give_names(going);
		list_add_tail(&going->node, &all_gone);
		nr_gone++;
	} else {
		kfree(going);
	}
unlock:
	mutex_unlock(&names_mutex);
}

/* What is for init only goes when that is over; if it failed, with all else. */
static int module_changes(struct notifier_block *block, unsigned long state,
			  void *data)
{
	if (state == MODULE_STATE_GOING)
		text_goes(data, false);
	if (state == MODULE_STATE_GOING || state == MODULE_STATE_LIVE)
		text_goes(data, true);
	return NOTIFY_OK;
}

static struct notifier_block modules = { .notifier_call = module_changes };

/* With the mutex. */
static void gone_name(const struct gone *gone, unsigned long addr,
		      bool is_return, char name[KSYM_SYMBOL_LEN])
{
	unsigned int place = place_of(gone, addr, is_return);

	if (is_at(gone, place, addr, is_return) && gone->frames[place].name)
		strscpy(name, gone->frames[place].name, KSYM_SYMBOL_LEN);
	else
		snprintf(name, KSYM_SYMBOL_LEN, "[%s]+0x%lx", gone->module,
			 addr - gone->base);
}

bool names_lookup(const struct sample *sample, unsigned int i,
		  char name[KSYM_SYMBOL_LEN])
{
	unsigned long addr = sample->entries[i];
	bool is_return = sample_is_return(sample, i);
	const struct gone *gone;
	bool known;

	mutex_lock(&names_mutex);
	gone = is_forgotten(sample) ? NULL : find_gone(addr, sample->at_ns);
	if (gone) {
		gone_name(gone, addr, is_return, name);
		known = true;
	} else {
		print_name(addr, is_return, name);
		known = !is_address(name) &&
			(!is_forgotten(sample) || !strchr(name, '['));
	}
	mutex_unlock(&names_mutex);
	return known;
}

int names_init(void)
{
	return register_module_notifier(&modules);
}

void names_exit(void)
{
	unregister_module_notifier(&modules);
	while (!list_empty(&all_gone))
		forget(list_first_entry(&all_gone, struct gone, node));
}
