/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All differences between the kernels that we build for. The rest of the module is written as if
 * only the newest kernel existed. compat.mk asks the headers, and defines the HAVE_ macros.
 */
#ifndef TRACE_IRQOFF_COMPAT_H
#define TRACE_IRQOFF_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/isolation.h>
#include <linux/tick.h>
#include <linux/time64.h>
#include <linux/workqueue.h>

#if defined(HAVE_CT_RCU_WATCHING) || defined(HAVE_CT_DYNTICKS)
#include <linux/context_tracking.h>
#include <linux/context_tracking_state.h>
#define COMPAT_IDLE_NOW	true	/* see compat_seq_is_idle() */
#else
#define COMPAT_IDLE_NOW	false
#endif
#ifdef CONFIG_X86_64
#include <asm/nospec-branch.h>
#endif

/* 6.13: hrtimer_setup() took the place of hrtimer_init() and an assignment. */
static inline void
compat_hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*fn)(struct hrtimer *timer),
		     clockid_t clock, enum hrtimer_mode mode)
{
#ifdef HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, fn, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = fn;
#endif
}

/* Did @regs interrupt code with interrupts off? 7.x: regs_irqs_disabled(). */
static inline bool compat_irqs_disabled(struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return !(regs->flags & X86_EFLAGS_IF);
#else
	return !interrupts_enabled(regs);
#endif
}

/* 5.17: pde_data() is the new name of PDE_DATA(). */
static inline void *compat_pde_data(const struct inode *inode)
{
#ifdef HAVE_PDE_DATA
	return pde_data(inode);
#else
	return PDE_DATA(inode);
#endif
}

/* 7.2: the tracepoint passes the time by value. */
#ifdef HAVE_EXPIRE_NOW_BY_VALUE
#define COMPAT_EXPIRE_NOW		ktime_t now
#define compat_expire_now_ns(now)	ktime_to_ns(now)
#else
#define COMPAT_EXPIRE_NOW		ktime_t *now
#define compat_expire_now_ns(now)	ktime_to_ns(*(now))
#endif

/* 6.12: a tracepoint disables preemption while it calls its probes. 7.2: it does not. */
static inline void compat_probe_preempt_add(int levels)
{
#if defined(HAVE_PROBE_PREEMPT_OFF) && defined(CONFIG_PREEMPT_RT)
	__preempt_count_add(levels);
#endif
}

/* 6.15: the member is private. */
static inline void *compat_hrtimer_function(struct hrtimer *timer)
{
	return ACCESS_PRIVATE(timer, function);
}

/*
 * A number that changes when a CPU goes idle, wakes, or takes an interrupt in idle.
 *
 * 6.0: RCU's counter, moved to context tracking. (6.12: ct_rcu_watching_cpu() is the new name of
 * ct_dynticks_cpu().) Its lowest bit is clear while the CPU is idle. Before 6.0: idle time
 * in us, which stands still in interrupts as well. -1 with nohz=off, where idle CPUs tick.
 */
static inline u64 compat_idle_seq(int cpu)
{
#if defined(HAVE_CT_RCU_WATCHING)
	return ct_rcu_watching_cpu(cpu);
#elif defined(HAVE_CT_DYNTICKS)
	return ct_dynticks_cpu(cpu);
#else
	return get_cpu_idle_time_us(cpu, NULL) + get_cpu_iowait_time_us(cpu, NULL);
#endif
}

/**
 * compat_seq_is_idle() - was the CPU idle when compat_idle_seq() was read?
 * @seq: what was read
 * @before: what was read the last time
 * @ns: how long ago that was
 *
 * Without the counter: it was idle for at least half of that time, but may be busy now. On a
 * nohz_full CPU (6.0 and up) user space counts as idle.
 */
static inline bool compat_seq_is_idle(u64 seq, u64 before, u64 ns)
{
#if defined(HAVE_CT_RCU_WATCHING)
	return !(seq & CT_RCU_WATCHING);
#elif defined(HAVE_CT_DYNTICKS)
	return !(seq & RCU_DYNTICKS_IDX);
#else
	return (seq - before) * NSEC_PER_USEC >= ns / 2;
#endif
}

/* 5.14: task_is_running() came when the state got another name. */
static inline bool compat_task_is_running(struct task_struct *task)
{
#ifdef HAVE_TASK_IS_RUNNING
	return task_is_running(task);
#else
	return READ_ONCE(task->state) == TASK_RUNNING;
#endif
}

/* 6.17: system_dfl_wq is the new name of system_unbound_wq. */
#ifdef HAVE_SYSTEM_DFL_WQ
#define compat_unbound_wq	system_dfl_wq
#else
#define compat_unbound_wq	system_unbound_wq
#endif

/* 5.18: the kinds of housekeeping became numbers instead of flags. */
#ifdef HAVE_HK_TYPE
#define COMPAT_HK_TICK		HK_TYPE_TICK
#define COMPAT_HK_TIMER		HK_TYPE_TIMER
#define COMPAT_HK_DOMAIN	HK_TYPE_DOMAIN
#else
#define COMPAT_HK_TICK		HK_FLAG_TICK
#define COMPAT_HK_TIMER		HK_FLAG_TIMER
#define COMPAT_HK_DOMAIN	HK_FLAG_DOMAIN
#endif

/*
 * Where in a retpoline an instruction is. 5.10.133: all of them lie in one array. 6.9: the
 * option has got another name.
 */
#define COMPAT_NO_RETPOLINE	ULONG_MAX

static inline unsigned long compat_retpoline_offset(unsigned long ip)
{
#if defined(CONFIG_X86_64) && defined(RETPOLINE_THUNK_SIZE) && \
	(defined(CONFIG_RETPOLINE) || defined(CONFIG_MITIGATION_RETPOLINE))
	unsigned long first = (unsigned long)__x86_indirect_thunk_rax;
	unsigned long last = (unsigned long)__x86_indirect_thunk_r15;

	if (ip >= first && ip < last + RETPOLINE_THUNK_SIZE)
		return (ip - first) % RETPOLINE_THUNK_SIZE;
#endif
	return COMPAT_NO_RETPOLINE;
}

/* 6.4: the parts of a module lie in an array. @init: of what is there until it is live */
static inline void compat_module_text(const struct module *module, bool init,
				      unsigned long *base, unsigned long *size)
{
#ifdef HAVE_MOD_INIT_TEXT
	const struct module_memory *text = &module->mem[init ? MOD_INIT_TEXT : MOD_TEXT];

	*size = text->size;
#else
	const struct module_layout *text = init ? &module->init_layout : &module->core_layout;

	*size = text->text_size;
#endif
	*base = (unsigned long)text->base;
}

#endif /* TRACE_IRQOFF_COMPAT_H */
