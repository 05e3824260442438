// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/irqoff_fail: makes calls of trace_irqoff into the kernel fail or take longer.
 *
 * Context: fail_entered() and fail_probed() are kprobe handlers: any context, preemption off.
 * fail_return() runs in place of the function, all else in process context.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "file.h"

#define FAIL_MODULE		"[trace_irqoff]"	/* as sprint_symbol() prints it */
#define FAIL_SLOW_MAX_US	5000

struct fail_function {
	const char *name;
	long value;	/* what a call that fails returns */
	bool slow;	/* calls take longer, and do not fail */
};

/* A function has several entries if its name differs between the supported kernels. */
static const struct fail_function fail_functions[] = {
	{ "__alloc_percpu", 0 },
	{ "pcpu_alloc_noprof", 0 },	/* 6.10 */
	{ "__register_nmi_handler", -ENOMEM },
	{ "tracepoint_probe_register", -ENOMEM },
	{ "__cpuhp_setup_state_cpuslocked", -ENOMEM },
	{ "proc_create_data", 0 },
	/* In trace_irqoff itself: */
	{ "nmi_arch_send", 0 },		/* the NMI is lost */
	{ "recorder_commit", 0 },	/* the record is never complete */
	{ "window_sample", 0, true },
};

/* No lock: tests write one line at a time. */
static struct kprobe fail_probe;
static bool fail_armed;

/* These change only while the kprobe is not registered. */
static const struct fail_function *fail_function;
static unsigned int fail_number;	/* every Nth call fails, or all calls take N us longer */

static atomic_t fail_calls;
static atomic_t fail_failed;

/*
 * Runs instead of a function that fails. The return address and the return value are in place. The
 * kprobe handler cannot return to the caller by itself: a kprobe that uses ftrace ignores the stack
 * pointer that the handler sets.
 */
static noinline notrace void fail_return(void)
{
}

static bool fail_is_in_module(unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol(name, addr);
	return strstr(name, FAIL_MODULE);
}

static unsigned long fail_return_address(struct pt_regs *regs)
{
#ifdef CONFIG_ARM64
	return procedure_link_pointer(regs);
#else
	return *(unsigned long *)kernel_stack_pointer(regs);
#endif
}

/* The kprobe is on the entry of the function. */
static int fail_entered(struct kprobe *probe, struct pt_regs *regs)
{
	unsigned int calls;

	if (!fail_is_in_module(fail_return_address(regs)))
		return 0;

	calls = atomic_inc_return(&fail_calls);
	if (fail_function->slow) {
		udelay(fail_number);
		return 0;
	}
	if (calls % fail_number)
		return 0;

	atomic_inc(&fail_failed);
	regs_set_return_value(regs, fail_function->value);
	instruction_pointer_set(regs, (unsigned long)fail_return);
	return 1;
}

/*
 * Without a post_handler the kernel may optimize the kprobe to a jump. Then the kernel would ignore
 * the instruction pointer that fail_entered() sets.
 */
static void fail_probed(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

static void fail_disarm(void)
{
	if (fail_armed)
		unregister_kprobe(&fail_probe);
	fail_armed = false;
}

static int fail_arm(const struct fail_function *function, unsigned int number)
{
	int ret;

	if (!number || (function->slow && number > FAIL_SLOW_MAX_US))
		return -ERANGE;
	fail_disarm();
	fail_function = function;
	fail_number = number;
	atomic_set(&fail_calls, 0);
	atomic_set(&fail_failed, 0);

	fail_probe = (struct kprobe) {
		.symbol_name = function->name,
		.pre_handler = fail_entered,
		.post_handler = fail_probed,
	};
	ret = register_kprobe(&fail_probe);
	fail_armed = !ret;
	return ret;
}

/*
 *	proc_create_data 3	every third call returns NULL and does nothing
 *	window_sample 300	each call takes 300 us longer
 *	off			no call fails any more
 *
 * Each line replaces the one before. Calls by other modules are not affected. ENOENT: this kernel
 * does not have the function. Changes the line.
 */
static int fail_obey(char *line)
{
	const char *name = strsep(&line, " ");
	const char *number = strsep(&line, " ");
	unsigned int n;
	int i, ret;

	if (!number && !strcmp(name, "off")) {
		fail_disarm();
		return 0;
	}

	if (!number || line)
		return -EINVAL;
	ret = kstrtouint(number, 10, &n);
	if (ret)
		return ret;

	for (i = 0; i < ARRAY_SIZE(fail_functions); i++)
		if (!strcmp(name, fail_functions[i].name))
			return fail_arm(&fail_functions[i], n);
	return -EINVAL;
}

/* Calls since the last write, and how many of them failed. */
static int fail_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "calls=%d failed=%d\n", atomic_read(&fail_calls), atomic_read(&fail_failed));
	return 0;
}

const struct inject_file fail_file = {
	.name = "irqoff_fail",
	.obey = fail_obey,
	.show = fail_show,
	.stop = fail_disarm,
};
