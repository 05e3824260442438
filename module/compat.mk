# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Asks the kernel's headers what they offer, for compat.h: vendor kernels backport, so a version
# number does not tell. Each Kbuild whose sources include compat.h includes this file.

compat-has = $(shell grep -qsw '$(1)' $(srctree)/include/linux/$(2) && echo -D$(3))

ccflags-y += $(call compat-has,hrtimer_setup,hrtimer.h,HAVE_HRTIMER_SETUP)
ccflags-y += $(call compat-has,ct_rcu_watching_cpu,context_tracking_state.h,HAVE_CT_RCU_WATCHING)
ccflags-y += $(call compat-has,ct_dynticks_cpu,context_tracking_state.h,HAVE_CT_DYNTICKS)
ccflags-y += $(call compat-has,struct.hrtimer..hrtimer..ktime_t.now,../trace/events/timer.h,HAVE_EXPIRE_NOW_BY_VALUE)
ccflags-y += $(call compat-has,preempt_.*notrace,tracepoint.h,HAVE_PROBE_PREEMPT_OFF)
ccflags-y += $(call compat-has,panic_notifier_list,panic_notifier.h,HAVE_PANIC_NOTIFIER)
ccflags-y += $(call compat-has,printk_safe_flush_on_panic,printk.h,HAVE_PRINTK_NMI_BUFFER)
ccflags-y += $(call compat-has,pde_data,proc_fs.h,HAVE_PDE_DATA)
ccflags-y += $(call compat-has,HK_TYPE_TIMER,sched/isolation.h,HAVE_HK_TYPE)
ccflags-y += $(call compat-has,task_is_running,sched.h,HAVE_TASK_IS_RUNNING)
ccflags-y += $(call compat-has,system_dfl_wq,workqueue.h,HAVE_SYSTEM_DFL_WQ)
ccflags-y += $(call compat-has,MOD_INIT_TEXT,module.h,HAVE_MOD_INIT_TEXT)
ccflags-y += $(call compat-has,tasklet_entry,../trace/events/irq.h,HAVE_TASKLET_ENTRY)
