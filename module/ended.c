// SPDX-License-Identifier: GPL-2.0
/*
 * Makes a record of a window that has ended, with the looks that were taken into it.
 *
 * A virtual CPU that its host does not run is late too. Where the guest is told of such
 * time, it stands on the record. The kernel may account it on a tick of its own only
 * after ours, so a record is added to on our next tick.
 *
 * Context: with each function in ended.h.
 */
#include <linux/cpumask.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "awake.h"
#include "ended.h"
#include "recorder.h"
#include "window.h"

/**
 * struct unsettled - the records of a CPU that stolen time may still be added to
 * @seq: the record of each kind that was made since the last hard tick, or 0
 * @steal_ns: what had been accounted then
 */
struct unsettled {
	u64 seq[NR_WINDOW_KINDS];
	u64 steal_ns[NR_WINDOW_KINDS];
};

static DEFINE_PER_CPU(struct unsettled, unsettled);
static DEFINE_PER_CPU(struct ended_counts, ended_counts[NR_WINDOW_KINDS]);
DEFINE_PER_CPU(bool, ended_unsettled);

void ended_settle(bool window)
{
	struct unsettled *u = this_cpu_ptr(&unsettled);
	enum window_kind kind;

	__this_cpu_write(ended_unsettled, false);
	for (kind = 0; kind < NR_WINDOW_KINDS; kind++) {
		u64 more_ns = ended_steal() - u->steal_ns[kind];

		if (u->seq[kind] && more_ns && !window)
			recorder_add_steal(u->seq[kind], more_ns);
		u->seq[kind] = 0;
	}
}

static void count(struct ended_counts *counts, u64 latency_ns)
{
	WRITE_ONCE(counts->windows, counts->windows + 1);
	WRITE_ONCE(counts->latency_ns, counts->latency_ns + latency_ns);
}

void ended_count(enum window_kind kind, struct ended_counts *sum)
{
	int cpu;

	*sum = (struct ended_counts) {};
	for_each_possible_cpu(cpu) {
		struct ended_counts *counts =
			per_cpu_ptr(&ended_counts[kind], cpu);

		sum->windows += READ_ONCE(counts->windows);
		sum->latency_ns += READ_ONCE(counts->latency_ns);
	}
}

void ended_record(enum window_kind kind, u64 now, u64 latency_ns, u64 max_ns,
		  u64 steal_ns, const struct window *window,
		  struct pt_regs *regs)
{
	struct unsettled *u = this_cpu_ptr(&unsettled);
	struct record *record = recorder_begin();

	count(this_cpu_ptr(&ended_counts[kind]), latency_ns);
	awake_note_seen();
	if (!record)
		return;

	__this_cpu_write(ended_unsettled, true);
	u->seq[kind] = record->seq;
	u->steal_ns[kind] = ended_steal();
	record->steal_ns = u->steal_ns[kind] - steal_ns;
	record->kind = kind;
	record->cpu = smp_processor_id();
	record->end_mono_ns = now;
	record->end_real_ns = ktime_to_ns(ktime_mono_to_real(ns_to_ktime(now)));
	record->latency_ns = latency_ns;
	record->max_ns = window->begin_unseen ? latency_ns : max_ns;
	record->begin_unseen = window->begin_unseen;
	record->nr_samples = window->nr;
	memcpy(record->samples, window->samples,
	       window->nr * sizeof(*window->samples));
	sample_take(&record->end, now, latency_ns,
		    kind == WINDOW_HARDIRQ ? STATE_IRQ_OFF : STATE_OVER, regs);
	recorder_commit(record);
}
