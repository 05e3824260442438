// SPDX-License-Identifier: GPL-2.0
/*
 * Windows in which no code keeps interrupts off for long: the CPU is paused, or its timer is late.
 *
 * Context: process, on the CPU of @w; pause_on_nmi() runs in NMI.
 */
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include <asm/apic.h>
#include <asm/msr.h>
#include <asm/nmi.h>

#include "spend.h"
#include "window.h"

static struct inject_window *paused;

/* As if the hypervisor did not run the CPU: other NMIs wait, too. */
static int pause_on_nmi(unsigned int type, struct pt_regs *regs)
{
	struct inject_window *w = READ_ONCE(paused);

	if (!w || raw_smp_processor_id() != w->cpu || w->end_ns)
		return NMI_DONE;
	inject_spend(w);
	return NMI_HANDLED;
}

/* Interrupts are off for a few instructions, in which the CPU is paused. */
noinline __noclone void inject_pause(struct inject_window *w)
{
	if (register_nmi_handler(NMI_LOCAL, pause_on_nmi, 0, "irqoff_inject"))
		return;
	WRITE_ONCE(paused, w);
	local_irq_disable();
	if (raw_smp_processor_id() == w->cpu)
		apic->send_IPI_mask(cpumask_of(w->cpu), NMI_VECTOR);
	while (!READ_ONCE(w->end_ns) && raw_smp_processor_id() == w->cpu)
		inject_nothing(1);
	local_irq_enable();
	WRITE_ONCE(paused, NULL);
	unregister_nmi_handler(NMI_LOCAL, "irqoff_inject");
}

/* @value: 1: the timer of this CPU expires at once; 0: never. */
static void pause_set_timer(u32 value)
{
	if (boot_cpu_has(X86_FEATURE_TSC_DEADLINE_TIMER))
		wrmsr(MSR_IA32_TSC_DEADLINE, value, 0);
	else
		apic->write(APIC_TMICT, value);
}

/* Interrupts are on, except for short times, but the timer interrupt is late. */
noinline __noclone void inject_late_timer(struct inject_window *w)
{
	u64 start_ns = ktime_get_mono_fast_ns();
	u64 until_ns = start_ns + w->amount * NSEC_PER_USEC;

	preempt_disable();
	if (raw_smp_processor_id() == w->cpu) {
		pause_set_timer(0);
		while (ktime_get_mono_fast_ns() < until_ns) {
			local_irq_disable();
			inject_nothing(INJECT_ITERATIONS);
			/* If an interrupt has programmed the timer, stop it again. */
			pause_set_timer(0);
			local_irq_enable();
			inject_nothing(20 * INJECT_ITERATIONS);
		}
		pause_set_timer(1);
		w->start_ns = start_ns;
		w->end_ns = until_ns;
	}
	preempt_enable();
}
