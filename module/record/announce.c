// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Tells listeners about windows. An NMI handler announces nothing: it may have interrupted a BPF
 * program, and the kernel then skips other BPF programs. The next check of a watcher announces the
 * samples of NMI handlers, while interrupts are still off on the CPU of the window. If the window
 * ends first, window_end() announces them. Context: see announce.h.
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/irq_work.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/smp.h>
#include <linux/workqueue.h>
#include <asm/irq_regs.h>

#include "compat.h"

#define CREATE_TRACE_POINTS
#include "record/trace.h"

#include "record/announce.h"
#include "record/window.h"
#include "settings.h"

int announce_register(void)
{
	return try_module_get(THIS_MODULE) ? 0 : -EBUSY;
}

void announce_unregister(void)
{
	module_put(THIS_MODULE);
}

DECLARE_WAIT_QUEUE_HEAD(announce_wait);
static atomic64_t nr_changes;

static void announce_wake_fn(struct work_struct *work)
{
	wake_up_interruptible_poll(&announce_wait, EPOLLPRI | EPOLLERR);
}

static DECLARE_WORK(wake_work, announce_wake_fn);

/*
 * Queueing work takes locks, and a tick takes none: a hard irq_work queues it. On PREEMPT_RT, other
 * irq_work runs in a thread, which a window delays. Waking takes locks that sleep there: the work
 * does it.
 */
static void announce_queue(struct irq_work *work)
{
	queue_work(compat_unbound_wq, &wake_work);
}

static struct irq_work queue_irq_work = COMPAT_IRQ_WORK_INIT_HARD(announce_queue);

void announce_wake(void)
{
	/* Has a full barrier: orders the record before the test. Pairs with procfs_poll(). */
	if (wq_has_sleeper(&announce_wait))
		irq_work_queue(&queue_irq_work);
}

/* A window has reached the threshold, or one that was announced has ended. */
static void announce_change(void)
{
	atomic64_inc(&nr_changes);
	announce_wake();
}

u64 announce_nr_changes(void)
{
	return atomic64_read(&nr_changes);
}

/* Several CPUs may try at once: one of them announces the sample. */
static bool announce_claim_sample(struct window *window, const struct sample *sample)
{
	u64 announced_ns = READ_ONCE(window->announced_ns);

	return sample->at_ns > announced_ns &&
	       cmpxchg(&window->announced_ns, announced_ns, sample->at_ns) == announced_ns;
}

static void announce_samples(int cpu, struct window *window, enum window_kind kind,
			     const struct sample *samples, unsigned int nr)
{
	unsigned int i;

	if (!trace_sample_enabled())
		return;
	for (i = 0; i < nr; i++)
		if (announce_claim_sample(window, &samples[i]))
			trace_sample(cpu, kind, samples[i].offset_ns, &samples[i]);
}

/* @window: NULL: it was never open; @sample: the newest one; NULL: none */
static void announce_long(int cpu, struct window *window, enum window_kind kind,
			  u64 latency_ns, const struct sample *sample)
{
	static const struct sample unknown = {
		.pid = -1, .tgid = -1, .comm = "-", .state = STATE_UNKNOWN,
	};

	/* Once for each window, also if several CPUs try at once. */
	if (window && (READ_ONCE(window->announced) || xchg(&window->announced, true)))
		return;
	trace_window_open(cpu, kind, latency_ns, sample ?: &unknown);
	announce_change();
}

void announce_take_sample(struct window *window, u64 began_ns, u64 now, enum sample_state state)
{
	enum window_kind kind = READ_ONCE(window->kind);
	int cpu = smp_processor_id();
	const struct sample *sample;

	window_sample(window, began_ns, now, state, get_irq_regs());
	sample = window_newest(window, window->nr);
	announce_samples(cpu, window, kind, sample, 1);
	if (sample->offset_ns >= READ_ONCE(settings.threshold_ns))
		announce_long(cpu, window, kind, sample->offset_ns, sample);
}

void announce_open_window(int cpu, struct window *window, u64 now)
{
	static unsigned long in_use;	/* bit 0: a CPU uses @copy */
	static struct record copy;
	const struct sample *newest = NULL;
	u64 began_ns, latency_ns;

	/* The window is in another CPU's cache: copy it only if there is something to announce. */
	began_ns = window_began(window);
	if (!trace_sample_enabled() &&
	    (READ_ONCE(window->announced) || !began_ns ||
	     now < began_ns + READ_ONCE(settings.threshold_ns)))
		return;
	/* If another CPU announces a window now, the next check announces this one. */
	if (test_and_set_bit_lock(0, &in_use))
		return;
	began_ns = window_read(window, &copy);
	if (!began_ns)
		goto unlock;
	latency_ns = now > began_ns ? now - began_ns : 0;
	if (copy.nr_samples) {
		newest = &copy.samples[copy.nr_samples - 1];
		latency_ns = max(latency_ns, newest->offset_ns);
	}
	announce_samples(cpu, window, copy.kind, copy.samples, copy.nr_samples);
	if (latency_ns >= READ_ONCE(settings.threshold_ns))
		announce_long(cpu, window, copy.kind, latency_ns, newest);
unlock:
	clear_bit_unlock(0, &in_use);
}

void announce_closed(const struct window *window)
{
	if (READ_ONCE(window->announced))
		announce_change();
}

void announce_end(struct window *window, const struct record *record)
{
	const struct sample *newest = &record->end;

	/* If the CPU was paused, its samples are innocent: use the end. */
	if (record->nr_samples && newest->state != STATE_PAUSED)
		newest = &record->samples[record->nr_samples - 1];
	announce_samples(record->cpu, window, record->kind, record->samples, record->nr_samples);
	announce_long(record->cpu, window, record->kind, record->latency_ns, newest);
	trace_window(record, newest);
}

void announce_exit(void)
{
	irq_work_sync(&queue_irq_work);
	flush_work(&wake_work);
}
