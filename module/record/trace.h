/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/*
 * The trace events. Documentation/events.md has their fields. announce.c includes this file, and
 * fires the events.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM trace_irqoff

#if !defined(TRACE_IRQOFF_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define TRACE_IRQOFF_TRACE_H

#include <linux/string.h>
#include <linux/tracepoint.h>

#include "record/record.h"
#include "record/sample.h"

/*
 * A tracepoint with a probe holds a reference to the module, so rmmod fails. Otherwise, unloading
 * with an enabled event would clear the trace, and with a trigger the kernel warns (seen on 6.1).
 */
int announce_register(void);
void announce_unregister(void);

/* Turns names into numbers in the format files: perf and trace-cmd know only numbers. */
TRACE_DEFINE_ENUM(WINDOW_HARDIRQ);
TRACE_DEFINE_ENUM(WINDOW_SOFTIRQ);
TRACE_DEFINE_ENUM(WINDOW_NOSCHED);
TRACE_DEFINE_ENUM(STATE_IRQ_OFF);
TRACE_DEFINE_ENUM(STATE_IRQ_ON);
TRACE_DEFINE_ENUM(STATE_PAUSED);
TRACE_DEFINE_ENUM(STATE_SERVING);
TRACE_DEFINE_ENUM(STATE_BH_OFF);
TRACE_DEFINE_ENUM(STATE_KSOFTIRQD);
TRACE_DEFINE_ENUM(STATE_PREEMPT_OFF);
TRACE_DEFINE_ENUM(STATE_NO_RESCHED);
TRACE_DEFINE_ENUM(STATE_UNSAMPLED);
TRACE_DEFINE_ENUM(STATE_UNKNOWN);

#define TRACE_KIND(kind)					\
	__print_symbolic(kind,					\
			 { WINDOW_HARDIRQ, "hardirq" },		\
			 { WINDOW_SOFTIRQ, "softirq" },		\
			 { WINDOW_NOSCHED, "nosched" })

#define TRACE_STATE(state)					\
	__print_symbolic(state,					\
			 { STATE_IRQ_OFF, "irq-off" },		\
			 { STATE_IRQ_ON, "irq-on" },		\
			 { STATE_PAUSED, "paused" },		\
			 { STATE_SERVING, "serving" },		\
			 { STATE_BH_OFF, "bh-off" },		\
			 { STATE_KSOFTIRQD, "ksoftirqd" },	\
			 { STATE_PREEMPT_OFF, "preempt-off" },	\
			 { STATE_NO_RESCHED, "no-resched" },	\
			 { STATE_UNSAMPLED, "unsampled" },	\
			 { STATE_UNKNOWN, "unknown" })

/*
 * TASK_COMM_LEN is an enum (5.17, and EL 9): its name, which perf cannot parse, would be in the
 * format of the event.
 */
#define TRACE_COMM_LEN	16
static_assert(TRACE_COMM_LEN == TASK_COMM_LEN);

/*
 * The fields of an event: @fields, and those of a sample. Arrays have a fixed length: libtraceevent
 * and bpftrace can index them. Not u64 and pid_t, which bpftrace 0.11 (Debian 11) does not know
 * without kernel headers.
 */
#define TRACE_FIELDS(fields...)						\
	TP_STRUCT__entry(fields						\
			 __field(unsigned int, state)			\
			 __field(int, pid)				\
			 __field(int, tgid)				\
			 __array(char, comm, TRACE_COMM_LEN)		\
			 __field(unsigned long long, cgroup)		\
			 __field(unsigned int, nr_frames)		\
			 __array(unsigned long, stack, SAMPLE_DEPTH))

/* Needs an argument named sample. */
#define TRACE_ASSIGN_SAMPLE()						\
	do {								\
		unsigned int i;						\
									\
		__entry->state = sample->state;				\
		__entry->pid = sample->pid;				\
		__entry->tgid = sample->tgid;				\
		__entry->cgroup = sample->cgroup;			\
		__entry->nr_frames = sample->nr_entries;		\
		memcpy(__entry->comm, sample->comm, TRACE_COMM_LEN);	\
		memset(__entry->stack, 0, sizeof(__entry->stack));	\
		for (i = 0; i < sample->nr_entries; i++)		\
			__entry->stack[i] = sample->entries[i];		\
	} while (0)

/* The first eight frames of the stack; 0x0 is none. */
#define TRACE_PRINTK(format, values...)					\
	TP_printk(format " state=%s comm=%s pid=%d tgid=%d cgroup=%llu"	\
		  " stack=%ps %ps %ps %ps %ps %ps %ps %ps", values,	\
		  TRACE_STATE(__entry->state), __entry->comm,		\
		  __entry->pid, __entry->tgid, __entry->cgroup,		\
		  (void *)__entry->stack[0], (void *)__entry->stack[1],	\
		  (void *)__entry->stack[2], (void *)__entry->stack[3],	\
		  (void *)__entry->stack[4], (void *)__entry->stack[5],	\
		  (void *)__entry->stack[6], (void *)__entry->stack[7])

DECLARE_EVENT_CLASS(open_window,
		    TP_PROTO(int cpu, enum window_kind kind, u64 latency_ns,
			     const struct sample *sample),
		    TP_ARGS(cpu, kind, latency_ns, sample),

	TRACE_FIELDS(__field(unsigned int, kind)
		     __field(int, cpu)
		     __field(unsigned long long, latency_ns)),

	TP_fast_assign(__entry->kind = kind;
		       __entry->cpu = cpu;
		       __entry->latency_ns = latency_ns;
		       TRACE_ASSIGN_SAMPLE();
	),

	TRACE_PRINTK("kind=%s cpu=%d latency_ns=%llu",
		     TRACE_KIND(__entry->kind), __entry->cpu, __entry->latency_ns)
);

/* A window has reached the threshold: @latency_ns is a lower bound of its length so far. */
DEFINE_EVENT_FN(open_window, window_open,
		TP_PROTO(int cpu, enum window_kind kind, u64 latency_ns,
			 const struct sample *sample),
		TP_ARGS(cpu, kind, latency_ns, sample),
		announce_register, announce_unregister
);

/* A sample was taken when the window had lasted for @latency_ns. */
DEFINE_EVENT_FN(open_window, sample,
		TP_PROTO(int cpu, enum window_kind kind, u64 latency_ns,
			 const struct sample *sample),
		TP_ARGS(cpu, kind, latency_ns, sample),
		announce_register, announce_unregister
);

/* A window has ended, and has a record. */
TRACE_EVENT_FN(window,
	       TP_PROTO(const struct record *record, const struct sample *sample),
	       TP_ARGS(record, sample),

	TRACE_FIELDS(__field(unsigned long long, seq)
		     __field(unsigned int, kind)
		     __field(int, cpu)
		     __field(unsigned long long, latency_ns)
		     __field(unsigned long long, max_ns)
		     __field(unsigned long long, steal_ns)),

	TP_fast_assign(__entry->seq = record->seq;
		       __entry->kind = record->kind;
		       __entry->cpu = record->cpu;
		       __entry->latency_ns = record->latency_ns;
		       __entry->max_ns = record->max_ns;
		       __entry->steal_ns = record->steal_ns;
		       TRACE_ASSIGN_SAMPLE();
	),

	TRACE_PRINTK("seq=%llu kind=%s cpu=%d latency_ns=%llu max_ns=%llu steal_ns=%llu",
		     __entry->seq, TRACE_KIND(__entry->kind), __entry->cpu,
		     __entry->latency_ns, __entry->max_ns, __entry->steal_ns),

	announce_register, announce_unregister
);

#endif /* TRACE_IRQOFF_TRACE_H */

/* Outside of the guard: define_trace.h includes this file again. */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH record
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
