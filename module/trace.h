/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trace events, for ftrace, perf and BPF. events.c fires them, and says when; what all fields
 * mean is in docs/events.md. define_trace.h reads this file several times.
 *
 * Words are words, not numbers, so that filters, histograms and scripts can use them as they are.
 * Stacks are arrays of a fixed size, which every tool can read; behind the last frame they are 0.
 * As many frames are printed as in the kernel's own event for stacks.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM trace_irqoff

#if !defined(TRACE_IRQOFF_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define TRACE_IRQOFF_TRACE_H

#include <linux/sched.h>
#include <linux/tracepoint.h>
#include <linux/types.h>

#include "recorder.h"
#include "sample.h"

/* Called when somebody begins to listen to an event, and when nobody does any more. */
int events_hold(void);
void events_let_go(void);

#define TRACE_KIND_LEN	8
#define TRACE_STATE_LEN	16

/* A window that is over. @who: the look that task, state and stack are taken from */
TRACE_EVENT_FN(window,
	       TP_PROTO(const struct record *record, const struct sample *who),
	       TP_ARGS(record, who),

	       TP_STRUCT__entry(__field(u64, seq)
				__field(u64, latency_ns)
				__field(u64, max_ns)
				__field(u64, steal_ns)
				__field(u64, cgroup)
				__field(int, cpu)
				__field(pid_t, pid)
				__field(pid_t, tgid)
				__field(unsigned int, frames)
				__array(char, kind, TRACE_KIND_LEN)
				__array(char, state, TRACE_STATE_LEN)
				__array(char, comm, TASK_COMM_LEN)
				__array(unsigned long, stack, SAMPLE_DEPTH)),

	       TP_fast_assign(__entry->seq = record->seq;
			      __entry->latency_ns = record->latency_ns;
			      __entry->max_ns = record->max_ns;
			      __entry->steal_ns = record->steal_ns;
			      __entry->cgroup = who->cgroup;
			      __entry->cpu = record->cpu;
			      __entry->pid = who->pid;
			      __entry->tgid = who->tgid;
			      __entry->frames = who->nr_entries;
			      put_kind(__entry->kind, record->kind);
			      put_state(__entry->state, who->state);
			      put_comm(__entry->comm, who->comm);
			      put_stack(__entry->stack, who)),

	       TP_printk("seq=%llu kind=%s cpu=%d latency_ns=%llu max_ns=%llu steal_ns=%llu state=%s comm=%s pid=%d tgid=%d cgroup=%llu frames=%u stack=%pS < %pS < %pS < %pS < %pS < %pS < %pS < %pS",
			 __entry->seq, __entry->kind, __entry->cpu,
			 __entry->latency_ns, __entry->max_ns, __entry->steal_ns,
			 __entry->state, __entry->comm, __entry->pid, __entry->tgid,
			 __entry->cgroup, __entry->frames,
			 (void *)__entry->stack[0], (void *)__entry->stack[1],
			 (void *)__entry->stack[2], (void *)__entry->stack[3],
			 (void *)__entry->stack[4], (void *)__entry->stack[5],
			 (void *)__entry->stack[6], (void *)__entry->stack[7]),

	       events_hold, events_let_go);

/*
 * A look into a window. @latency_ns: how long that had lasted; @ago_ns: how long before the event
 * the look was taken
 */
DECLARE_EVENT_CLASS(look,
		    TP_PROTO(enum window_kind kind, int cpu, u64 latency_ns, u64 ago_ns,
			     const struct sample *who),
		    TP_ARGS(kind, cpu, latency_ns, ago_ns, who),

		    TP_STRUCT__entry(__field(u64, latency_ns)
				     __field(u64, ago_ns)
				     __field(u64, cgroup)
				     __field(int, cpu)
				     __field(pid_t, pid)
				     __field(pid_t, tgid)
				     __field(unsigned int, frames)
				     __array(char, kind, TRACE_KIND_LEN)
				     __array(char, state, TRACE_STATE_LEN)
				     __array(char, comm, TASK_COMM_LEN)
				     __array(unsigned long, stack, SAMPLE_DEPTH)),

		    TP_fast_assign(__entry->latency_ns = latency_ns;
				   __entry->ago_ns = ago_ns;
				   __entry->cgroup = who->cgroup;
				   __entry->cpu = cpu;
				   __entry->pid = who->pid;
				   __entry->tgid = who->tgid;
				   __entry->frames = who->nr_entries;
				   put_kind(__entry->kind, kind);
				   put_state(__entry->state, who->state);
				   put_comm(__entry->comm, who->comm);
				   put_stack(__entry->stack, who)),

		    TP_printk("kind=%s cpu=%d latency_ns=%llu ago_ns=%llu state=%s comm=%s pid=%d tgid=%d cgroup=%llu frames=%u stack=%pS < %pS < %pS < %pS < %pS < %pS < %pS < %pS",
			      __entry->kind, __entry->cpu, __entry->latency_ns,
			      __entry->ago_ns, __entry->state, __entry->comm, __entry->pid,
			      __entry->tgid, __entry->cgroup, __entry->frames,
			      (void *)__entry->stack[0], (void *)__entry->stack[1],
			      (void *)__entry->stack[2], (void *)__entry->stack[3],
			      (void *)__entry->stack[4], (void *)__entry->stack[5],
			      (void *)__entry->stack[6], (void *)__entry->stack[7]));

DEFINE_EVENT_FN(look, sample,
		TP_PROTO(enum window_kind kind, int cpu, u64 latency_ns, u64 ago_ns,
			 const struct sample *who),
		TP_ARGS(kind, cpu, latency_ns, ago_ns, who),

		events_hold, events_let_go);

/* A window that is open and has reached the threshold. */
DEFINE_EVENT_FN(look, open,
		TP_PROTO(enum window_kind kind, int cpu, u64 latency_ns, u64 ago_ns,
			 const struct sample *who),
		TP_ARGS(kind, cpu, latency_ns, ago_ns, who),

		events_hold, events_let_go);

#endif /* TRACE_IRQOFF_TRACE_H */

/* By the way of CFLAGS_module/events.o in Kbuild. */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
