/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/*
 * Differences between kernels: most other code is written for the newest kernel. compat.mk defines
 * the HAVE_ macros by what the kernel's headers offer. Context: any, but for compat_pde_data().
 */
#ifndef TRACE_IRQOFF_COMPAT_H
#define TRACE_IRQOFF_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/module.h>
#ifdef HAVE_PANIC_NOTIFIER
#include <linux/panic_notifier.h>
#endif
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

/* 6.13: hrtimer_setup() replaces hrtimer_init() and an assignment. */
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

/* Are interrupts off in the interrupted context? arm64 got regs_irqs_disabled() after 6.12. */
static inline bool compat_irqs_disabled(struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return !(regs->flags & X86_EFLAGS_IF);
#else
	return !interrupts_enabled(regs);
#endif
}

/* 5.17: pde_data() is the new name of PDE_DATA(). */
#ifdef HAVE_PDE_DATA
#define compat_pde_data		pde_data
#else
#define compat_pde_data		PDE_DATA
#endif

/* 7.2: the tracepoint passes the time by value. */
#ifdef HAVE_EXPIRE_NOW_BY_VALUE
#define COMPAT_EXPIRE_NOW		ktime_t now
#define compat_expire_now_ns(now)	ktime_to_ns(now)
#else
#define COMPAT_EXPIRE_NOW		ktime_t *now
#define compat_expire_now_ns(now)	ktime_to_ns(*(now))
#endif

/*
 * How often the tracepoint has disabled preemption while it calls a probe: once on 6.12, not on
 * 7.2. 0 if it is not disabled at all, though the kernel's headers look like those of 6.12.
 */
static inline int compat_probe_preempt_levels(void)
{
#ifdef HAVE_PROBE_PREEMPT_OFF
	return preempt_count() & PREEMPT_MASK ? 1 : 0;
#else
	return 0;
#endif
}

/* Does the idle task look for work itself, so that the kernel sends this CPU no IPIs? */
static inline bool compat_idle_polls(void)
{
#ifdef TIF_POLLING_NRFLAG
	return test_thread_flag(TIF_POLLING_NRFLAG);
#else
	return false;
#endif
}

/*
 * A number that changes when a CPU goes idle, wakes, or takes an interrupt in idle.
 *
 * From 6.0 on: RCU's counter, whose lowest bit is clear while the CPU is idle. 6.12 renames
 * ct_dynticks_cpu() to ct_rcu_watching_cpu(). Before 6.0: idle time in us, which stands still in
 * interrupts. With nohz=off that time is unknown, but idle CPUs tick.
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

/*
 * Was the CPU idle when compat_idle_seq() returned @seq? Before 6.0: was the CPU idle for at least
 * half of @interval_ns since @before was returned (it may be busy now)? From 6.0 on, a nohz_full
 * CPU in user space seems idle.
 */
static inline bool compat_seq_is_idle(u64 seq, u64 before, u64 interval_ns)
{
#if defined(HAVE_CT_RCU_WATCHING)
	return !(seq & CT_RCU_WATCHING);
#elif defined(HAVE_CT_DYNTICKS)
	return !(seq & RCU_DYNTICKS_IDX);
#else
	return (seq - before) * NSEC_PER_USEC >= interval_ns / 2;
#endif
}

/* 5.14: task_is_running() is new, as task->state becomes task->__state. */
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

/* 5.11: on PREEMPT_RT, too, this irq_work runs in hardirq. */
#ifdef IRQ_WORK_INIT_HARD
#define COMPAT_IRQ_WORK_INIT_HARD	IRQ_WORK_INIT_HARD
#else
#define COMPAT_IRQ_WORK_INIT_HARD(fn)	{ .func = (fn) }
#endif

/* 5.18: the types of housekeeping are numbers instead of flags. */
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
 * The offset of an instruction in its retpoline, if it is in one. 5.10.133: all retpolines are in
 * one array. 6.9: CONFIG_MITIGATION_RETPOLINE is the new name of CONFIG_RETPOLINE.
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

/* The text of a module; @init: its init text. 6.4: the parts of a module are in an array. */
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
