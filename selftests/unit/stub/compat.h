/* SPDX-License-Identifier: GPL-2.0 */
/* In place of module/compat.h */
#define COMPAT_IDLE_NOW idle_now
#define COMPAT_IRQ_WORK_INIT_HARD(fn) {}
#define compat_hrtimer_setup(timer, function, clock, mode) ((timer)->fn = (function))
#define compat_task_is_running(task) ((task)->running)
#define compat_idle_polls() (cpus_do[this_cpu].polls)
#define compat_idle_seq(cpu) (cpus_do[cpu].idle_seq)
#define compat_seq_is_idle(seq, before, interval_ns) (!((seq) & 1))
#define compat_irqs_disabled(regs) ((regs)->irqs_off)
#define COMPAT_HK_TICK 0
#define COMPAT_NO_RETPOLINE ULONG_MAX
#define compat_retpoline_offset(ip) COMPAT_NO_RETPOLINE
