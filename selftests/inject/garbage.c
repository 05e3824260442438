// SPDX-License-Identifier: GPL-2.0
/*
 * Windows in which the stack is garbage: samples walk it. In each round, a function of the table
 * spins has its stack pointer in the garbage, and a random frame pointer.
 *
 * The garbage is unused stack, below the frames of garbage_spend() and of the function that spins.
 * Interrupts save registers below the stack pointer: they overwrite only garbage and unused stack.
 * Calls between the fill and the spin overwrite a little of the garbage, too. garbage_fill() must
 * be inline: its frame would be in the garbage.
 *
 * Kbuild disables KASAN for this file, which writes below the stack pointer.
 *
 * Context: process, on the CPU of @w.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/hash.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/objtool.h>
#include <linux/proc_fs.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>

#include <asm/asm.h>
#include <asm/ptrace.h>
#include <asm/segment.h>

#include "spend.h"
#include "window.h"

#define NR_WORDS	192	/* of garbage */
#define GAP_BYTES	256	/* above the garbage: the frame of the spinning function */
#define ROOM_BYTES	8192	/* of stack, for the garbage and for interrupts */
#define REAL_WORDS	64	/* of the stack of the callers, which the garbage has copies of */
#define TEXT_BYTES	512	/* random offset from the start of a function */
#define SPIN_NS		20000
#define REGS_WORDS	(sizeof(struct pt_regs) / sizeof(long))

struct garbage {
	unsigned long *words;
	struct pt_regs *regs;	/* in @words: what an interrupt might have saved */
	unsigned long *real;	/* the stack of the callers */
	u64 random;		/* state of the generator */
};

/* Each window has its own random numbers, the same after each load. */
static atomic_t garbage_windows;

static __always_inline u64 garbage_random(struct garbage *g)
{
	g->random ^= g->random << 13;
	g->random ^= g->random >> 7;
	g->random ^= g->random << 17;
	return g->random;
}

static __always_inline unsigned int garbage_below(struct garbage *g, unsigned int limit)
{
	return (garbage_random(g) >> 32) % limit;
}

/*
 * objtool does not notice that xchg changes the stack pointer, so this code has the ORC data of its
 * function, and the unwinder takes garbage for the frame. No operand may be in rbp, hence fixed
 * registers. @word is in a register because the module looks there for the target of a thunk.
 */
static __always_inline void garbage_spin(unsigned long sp, unsigned long bp, unsigned long word,
					 int iterations)
{
	asm volatile("xchg %[sp], %%rsp\n\t"
		     "xchg %[bp], %%rbp\n"
		     "1:\n\t"
		     ".rept 16\n\tnop\n\t.endr\n\t"
		     "dec %[iterations]\n\t"
		     "jnz 1b\n\t"
		     "xchg %[bp], %%rbp\n\t"
		     "xchg %[sp], %%rsp"
		     : [sp] "+D" (sp), [bp] "+S" (bp), [iterations] "+c" (iterations)
		     : "d" (word)
		     : "memory", "cc");
}

/* The return address is on top of the stack. */
static noinline __noclone void spin_plain(unsigned long sp, unsigned long bp, unsigned long word,
					  int iterations)
{
	garbage_spin(sp, bp, word, iterations);
}

/* Before and after the loop: the compiler saves these registers around both. */
static __always_inline void garbage_use_registers(void)
{
#ifdef CONFIG_FRAME_POINTER
	asm volatile("" : : : "rbx", "r12", "r13", "r14", "r15");
#else
	asm volatile("" : : : "rbp", "rbx", "r12", "r13", "r14", "r15");
#endif
}

/* The unwinder finds the frame pointer of the caller in the garbage. */
static noinline __noclone void spin_saved(unsigned long sp, unsigned long bp, unsigned long word,
					  int iterations)
{
	garbage_use_registers();
	garbage_spin(sp, bp, word, iterations);
	garbage_use_registers();
}

/* The unwinder finds the frame by the frame pointer. */
static noinline __noclone void spin_frame(unsigned long sp, unsigned long bp, unsigned long word,
					  int iterations)
{
	void *frame = __builtin_frame_address(0);

	OPTIMIZER_HIDE_VAR(frame);
	garbage_spin(sp, bp, word, iterations);
}

/* The unwinder finds the address of the frame in the garbage, by -mforce-drap in Kbuild. */
static noinline __noclone void spin_realigned(unsigned long sp, unsigned long bp,
					      unsigned long word, int iterations)
{
	unsigned long local __aligned(32) = 0;

	asm volatile("" : "+m" (local));
	garbage_spin(sp, bp, word, iterations);
	asm volatile("" : "+m" (local));
}

/* This function has no ORC data. */
static noinline __noclone void spin_unknown(unsigned long sp, unsigned long bp, unsigned long word,
					    int iterations)
{
	garbage_spin(sp, bp, word, iterations);
}

STACK_FRAME_NON_STANDARD(spin_unknown);

static void (* const spins[])(unsigned long sp, unsigned long bp, unsigned long word,
			      int iterations) = {
	spin_plain,
	spin_plain,
	spin_saved,
	spin_saved,
	spin_frame,
	spin_realigned,
	spin_unknown,
};

/* Functions of the kernel and of this module */
static const void * const texts[] = {
	schedule,
	strlen,
	kfree,
	seq_putc,
	ktime_get_mono_fast_ns,
	hrtimer_start_range_ns,
	proc_create_data,
	kstrtou64,
	inject_window_find_kind,
	spin_saved,
	spin_realigned,
};

static __always_inline unsigned long garbage_text(struct garbage *g)
{
	return (unsigned long)texts[garbage_below(g, ARRAY_SIZE(texts))] +
	       garbage_below(g, TEXT_BYTES);
}

/* A word of the callers' stack, such as a return address */
static __always_inline unsigned long garbage_real(struct garbage *g)
{
	return g->real[garbage_below(g, REAL_WORDS)];
}

static __always_inline unsigned long garbage_word(struct garbage *g)
{
	unsigned long stack = (unsigned long)task_stack_page(current);
	u64 random = garbage_random(g);

	switch (garbage_below(g, 16)) {
	case 0:
		return 0;
	case 1:
		return -1;
	case 2:
		return random & 0xff;
	case 3:
		return random & GENMASK(46, 0);		/* user space */
	case 4:
		return (random & GENMASK(61, 0)) | BIT(62);	/* not canonical */
	case 5:
		return garbage_text(g);
	case 6:
		return garbage_real(g);
	case 7:
		return garbage_real(g) + (random & 0x1f);
	case 8:
	case 9:
		return (unsigned long)(g->words + garbage_below(g, NR_WORDS));
	case 10:
		return (unsigned long)g->words + garbage_below(g, NR_WORDS * sizeof(long));
	case 11:
		return stack + (random & (THREAD_SIZE - 1) & ~7UL);
	case 12:
		return stack + (random & (THREAD_SIZE - 1));
	case 13:
		/* near both ends of the stack, inside and outside */
		return stack + (random & BIT(20) ? THREAD_SIZE : 0) + (random & 0x7f) - 0x40;
	case 14:
		/* Bit 0: how the unwinder for frame pointers tells registers from a frame */
		return (unsigned long)(random & BIT(20) ? g->regs : task_pt_regs(current)) |
		       (random & 1);
	default:
		return random;
	}
}

static __always_inline void garbage_fill(struct garbage *g)
{
	unsigned int quarters = garbage_below(g, 4);	/* of the words, which are text */
	int i;

	g->regs = (struct pt_regs *)(g->words + garbage_below(g, NR_WORDS - REGS_WORDS));
	for (i = 0; i < NR_WORDS; i++) {
		unsigned long word = garbage_word(g);

		if (garbage_below(g, 4) < quarters)
			word = garbage_below(g, 2) ? garbage_text(g) : garbage_real(g);
		WRITE_ONCE(g->words[i], word);
	}
	WRITE_ONCE(g->regs->ip, garbage_text(g));
	WRITE_ONCE(g->regs->cs, garbage_below(g, 4) ? __KERNEL_CS : __USER_CS);
	WRITE_ONCE(g->regs->sp, (unsigned long)(g->words + garbage_below(g, NR_WORDS)));
}

/* Does nothing if the kernel has moved the writer: see inject_spend_by(). */
static noinline __noclone void garbage_spend(struct inject_window *w)
{
	u64 duration_ns = w->amount * NSEC_PER_USEC;
	u64 start_ns = ktime_get_mono_fast_ns();
	int iterations = INJECT_ITERATIONS;
	u64 now_ns, spin_ns;
	unsigned long top;
	struct garbage g;

	/* The constraint: not before the compiler has made the frame. */
	asm volatile("mov %%rsp, %0" : "=r" (top), ASM_CALL_CONSTRAINT);
	if (raw_smp_processor_id() != w->cpu ||
	    top - (unsigned long)task_stack_page(current) < ROOM_BYTES)
		return;
	g.real = (unsigned long *)top;
	g.words = (unsigned long *)((top & ~7UL) - GAP_BYTES) - NR_WORDS;
	g.random = (u64)atomic_inc_return(&garbage_windows) * GOLDEN_RATIO_64;

	do {
		unsigned long *sp, word;

		garbage_fill(&g);
		sp = g.words + garbage_below(&g, NR_WORDS / 2);
		word = sp[garbage_below(&g, 8)];
		spin_ns = ktime_get_mono_fast_ns();
		spins[garbage_below(&g, ARRAY_SIZE(spins))]((unsigned long)sp, garbage_word(&g),
							    word, iterations);
		now_ns = ktime_get_mono_fast_ns();
		if (now_ns - spin_ns < SPIN_NS && iterations < INJECT_MAX_ITERATIONS)
			iterations *= 2;
	} while (now_ns - start_ns < duration_ns);

	w->start_ns = start_ns;
	w->end_ns = now_ns;
}

noinline __noclone void inject_garbage_hardirq(struct inject_window *w)
{
	local_irq_disable();
	garbage_spend(w);
	local_irq_enable();
	inject_linger();
}

/* No other task runs meanwhile, on PREEMPT_RT neither: see inject_softirqs_off(). */
noinline __noclone void inject_garbage_bh(struct inject_window *w)
{
	inject_softirqs_off();
	garbage_spend(w);
	inject_softirqs_on();
	inject_linger();
}
