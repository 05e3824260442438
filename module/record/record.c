// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Makes a record of a window that has ended, with the samples taken during the window. Context: see
 * record.h.
 */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/string.h>
#include <asm/irq_regs.h>

#include "record/announce.h"
#include "record/histogram.h"
#include "record/record.h"
#include "record/window.h"
#include "settings.h"

/*
 * A record of a CPU to which stolen time may still be added. A virtual CPU is late, too, if its
 * host did not run it. Readers can tell by the stolen time.
 */
struct unsettled {
	u64 seq;		/* the record made since the last tick; 0: none */
	u64 latency_ns;		/* length of its window */
	u64 stolen_ns;		/* stolen time known when the record was made */
	u64 steal_ns;		/* record_steal() at that time */
};

/* Not of nosched windows. */
static DEFINE_PER_CPU(struct unsettled, unsettled[WINDOW_NOSCHED]);
static DEFINE_PER_CPU(struct record_counts, record_counts[NR_WINDOW_KINDS]);
DEFINE_PER_CPU(bool, record_unsettled);

/* Count a window of which the host took at least half. */
static void record_count_stolen(enum window_kind kind, u64 latency_ns, u64 stolen_ns)
{
	struct record_counts *counts = this_cpu_ptr(&record_counts[kind]);

	if (2 * stolen_ns < latency_ns)
		return;
	WRITE_ONCE(counts->stolen, counts->stolen + 1);
	WRITE_ONCE(counts->stolen_latency_ns, counts->stolen_latency_ns + latency_ns);
}

void record_settle(bool late)
{
	enum window_kind kind;

	__this_cpu_write(record_unsettled, false);
	for (kind = 0; kind < WINDOW_NOSCHED; kind++) {
		struct unsettled *u = this_cpu_ptr(&unsettled[kind]);
		u64 more_ns = record_steal(smp_processor_id()) - u->steal_ns;

		if (u->seq && more_ns && !late) {
			recorder_add_steal(u->seq, more_ns);
			/* Otherwise record_add() has counted it. */
			if (2 * u->stolen_ns < u->latency_ns)
				record_count_stolen(kind, u->latency_ns, u->stolen_ns + more_ns);
		}
		u->seq = 0;
	}
}

void record_count(enum window_kind kind, struct record_counts *sum)
{
	int cpu;

	*sum = (struct record_counts) {};
	for_each_possible_cpu(cpu) {
		struct record_counts *counts = per_cpu_ptr(&record_counts[kind], cpu);

		sum->windows += READ_ONCE(counts->windows);
		sum->latency_ns += READ_ONCE(counts->latency_ns);
		sum->stolen += READ_ONCE(counts->stolen);
		sum->stolen_latency_ns += READ_ONCE(counts->stolen_latency_ns);
		sum->paused += READ_ONCE(counts->paused);
		sum->paused_latency_ns += READ_ONCE(counts->paused_latency_ns);
	}
}

/*
 * A watcher cannot see the task at the end, and a task that has left the CPU is gone: take the task
 * of the newest sample, without a stack. Without a sample, the window is taken for one of the idle
 * task.
 */
static void record_sample_end(struct record *record, const struct window *window,
			      const struct window_end *ended)
{
	struct sample *end = &record->end;

	if (ended->cpu == smp_processor_id() && ended->kind != WINDOW_NOSCHED) {
		sample_take(end, ended->end_ns, ended->latency_ns,
			    ended->kind == WINDOW_HARDIRQ ? ended->state : STATE_UNKNOWN,
			    ended->kind == WINDOW_HARDIRQ ? get_irq_regs() : NULL, NULL);
		return;
	}
	if (ended->nr_samples) {
		*end = *window_newest(window, ended->nr_samples);
	} else {
		*end = (struct sample) {};
		snprintf(end->comm, sizeof(end->comm), "swapper/%d", ended->cpu);
	}
	if (ended->kind != WINDOW_NOSCHED)
		end->state = ended->state;
	end->at_ns = ended->end_ns;
	end->offset_ns = ended->latency_ns;
	end->nr_entries = 0;
}

/* Read what this CPU has taken since @begin. */
static void record_interrupts(struct interrupts *taken, const struct interrupts *begin)
{
	int i;

	interrupts_read(taken);
	taken->irqs -= begin->irqs;
	for (i = 0; i < NR_SOFTIRQS; i++)
		taken->softirqs[i] -= begin->softirqs[i];
}

static void record_add(struct window *window, const struct window_end *ended)
{
	struct record_counts *counts = this_cpu_ptr(&record_counts[ended->kind]);
	u64 steal_ns = record_steal(ended->cpu);
	u64 stolen_ns = steal_ns - ended->steal_ns;
	struct record *record = recorder_begin();

	record_count_stolen(ended->kind, ended->latency_ns, stolen_ns);
	WRITE_ONCE(counts->windows, counts->windows + 1);
	WRITE_ONCE(counts->latency_ns, counts->latency_ns + ended->latency_ns);
	if (ended->state == STATE_IRQ_ON || ended->state == STATE_PAUSED) {
		WRITE_ONCE(counts->paused, counts->paused + 1);
		WRITE_ONCE(counts->paused_latency_ns,
			   counts->paused_latency_ns + ended->latency_ns);
	}
	if (!record)
		return;

	/* A nosched window has ended at an earlier tick: its stolen time is complete. */
	if (ended->cpu == smp_processor_id() && ended->kind != WINDOW_NOSCHED) {
		__this_cpu_write(record_unsettled, true);
		*this_cpu_ptr(&unsettled[ended->kind]) = (struct unsettled) {
			.seq = record->seq,
			.latency_ns = ended->latency_ns,
			.stolen_ns = stolen_ns,
			.steal_ns = steal_ns,
		};
	}
	record->steal_ns = stolen_ns;
	record->paused_ns = ended->paused_ns;
	record->kind = ended->kind;
	record->cpu = ended->cpu;
	record->end_mono_ns = ended->end_ns;
	record->end_real_ns = ktime_to_ns(ktime_mono_to_real(ns_to_ktime(ended->end_ns)));
	record->latency_ns = ended->latency_ns;
	record->max_ns = ended->begin_unseen ? ended->latency_ns : ended->max_ns;
	record->begin_unseen = ended->begin_unseen;
	record->nr_samples = ended->nr_samples;
	if (ended->nr_samples)
		memcpy(record->samples, window->samples,
		       ended->nr_samples * sizeof(*record->samples));
	record->has_interrupts = ended->interrupts;
	if (ended->interrupts)
		record_interrupts(&record->interrupts, ended->interrupts);
	record_sample_end(record, window, ended);
	announce_end(window, record);
	recorder_commit(record);
	announce_wake();
}

/* Return: whether the window has reached the threshold. */
static bool record_end(struct window *window, const struct window_end *end)
{
	bool is_long = end->latency_ns >= READ_ONCE(settings.threshold_ns);

	if (end->cpu != smp_processor_id())
		histogram_add_remote(end->cpu, end->kind, end->latency_ns);
	else if (end->kind != WINDOW_HARDIRQ)	/* tick_count() has counted that. */
		histogram_add(end->kind, end->latency_ns);
	/* If a write has just lowered the threshold, a nosched window may have no sample. */
	if (is_long && (end->nr_samples || end->kind != WINDOW_NOSCHED))
		record_add(window, end);
	return is_long;
}

bool window_end(struct window *window, const struct window_end *end)
{
	bool is_long = end && record_end(window, end);

	if (!window)
		return is_long;
	announce_closed(window);
	if (READ_ONCE(window->begin_unseen))
		WRITE_ONCE(window->begin_unseen, false);
	/* Orders all use of the window before the next window_open(). */
	smp_store_release(&window->began_ns, 0);
	return is_long;
}

void window_drop(struct window *window)
{
	if (window_close(window, 0))
		announce_closed(window);
}
