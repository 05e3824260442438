// SPDX-License-Identifier: GPL-2.0
/*
 * Windows as trace events (trace.h), for ftrace, perf and BPF:
 *
 *	window	one is over: fired where its record is made
 *	sample	a look into one: fired where that is taken; for a hardirq window together with
 *		its end, as these looks are taken in NMI, where BPF programs may be left out
 *	open	one is still open and has reached the threshold: fired by the first look from then
 *		on, or for a hardirq window by the CPU that watches
 *
 * All of this happens to a window that reaches the threshold, and not on other ticks. While
 * nobody listens, not even what the events are made of is gathered.
 *
 * Who listens to an event keeps the module loaded. perf and BPF do so anyway; but the kernel (5.10
 * to 7.3) lets a module go that has a trigger on one of its events, and then warns of a tracepoint
 * that goes in use, which is the end of a host with panic_on_warn.
 *
 * Context: with each function in events.h. No lock is taken and nothing allocated here; what
 * listens (ftrace's ring buffer, perf, a BPF program) is made to run in any context.
 */
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "events.h"
#include "follow.h"
#include "print.h"
#include "recorder.h"
#include "window.h"

static void put_kind(char *to, enum window_kind kind);
static void put_state(char *to, enum sample_state state);
static void put_comm(char *to, const char *comm);
static void put_stack(unsigned long *to, const struct sample *who);

#define CREATE_TRACE_POINTS
#include "trace.h"

static void __maybe_unused put_kind(char *to, enum window_kind kind)
{
	strscpy_pad(to, kind_names[kind], TRACE_KIND_LEN);
}

static void __maybe_unused put_state(char *to, enum sample_state state)
{
	strscpy_pad(to, state_names[state], TRACE_STATE_LEN);
}

/*
 * A task names itself. Whoever prints an event may not mask what a terminal would obey, or take
 * for the next line.
 */
static void __maybe_unused put_comm(char *to, const char *comm)
{
	unsigned int i;

	for (i = 0; i < TASK_COMM_LEN - 1 && comm[i]; i++) {
		unsigned char c = comm[i];

		to[i] = c >= ' ' && c < 0x7f ? c : '?';
	}
	memset(to + i, 0, TASK_COMM_LEN - i);
}

static void __maybe_unused put_stack(unsigned long *to, const struct sample *who)
{
	size_t nr = min_t(size_t, who->nr_entries, SAMPLE_DEPTH);

	memcpy(to, who->entries, nr * sizeof(*to));
	memset(to + nr, 0, (SAMPLE_DEPTH - nr) * sizeof(*to));
}

/* Process, with the mutex of tracepoints. */
int events_hold(void)
{
	return try_module_get(THIS_MODULE) ? 0 : -ENODEV;
}

/*
 * Likewise, and with the mutex of events, which the kernel takes to remove those of a module that
 * goes: so this does not go before who called it is done. BPF has a reference of its own.
 */
void events_let_go(void)
{
	module_put(THIS_MODULE);
}

static u64 ago(const struct sample *who, u64 now)
{
	return now > who->at_ns ? now - who->at_ns : 0;
}

void events_look(enum window_kind kind, const struct sample *who, u64 now)
{
	trace_sample(kind, smp_processor_id(), who->offset_ns, ago(who, now), who);
}

void events_window(const struct record *record)
{
	unsigned int i;

	if (record->kind == WINDOW_HARDIRQ && trace_sample_enabled())
		for (i = 0; i < record->nr_samples; i++)
			events_look(record->kind, &record->samples[i],
				    record->end_mono_ns);
	trace_window(record, print_culprit(record));
}

void events_open(enum window_kind kind, int cpu, const struct window *window,
		 u64 now, u64 latency_ns)
{
	struct sample who;

	follow_tell();
	if (!trace_open_enabled())
		return;
	/* Nobody may have been able to look. */
	if (!window_read_newest(window, &who))
		who = (struct sample) {
			.at_ns = now,
			.pid = -1,
			.tgid = -1,
			.state = kind == WINDOW_HARDIRQ ? STATE_IRQ_OFF : STATE_OVER,
		};
	trace_open(kind, cpu, latency_ns, ago(&who, now), &who);
}

void events_looked(enum window_kind kind, const struct window *window, u64 now,
		   u64 latency_ns)
{
	events_look(kind, &window->samples[window->nr - 1], now);
	if (window->nr == 1)
		events_open(kind, smp_processor_id(), window, now, latency_ns);
}
