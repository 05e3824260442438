// SPDX-License-Identifier: GPL-2.0
/*
 * The caller of a thunk. Code and stack are arrays here, and the kernel's unwinder finds one caller.
 */
#define __START_KERNEL_map 0UL
#define MODULES_END ULONG_MAX
#define IS_IN(array, from, size) \
	((from) >= (unsigned long)(array) && (from) + (size) <= (unsigned long)(array) + sizeof(array))
#define READ_ONCE_NOCHECK(x) READ_ONCE(x)

/* Code: a call of five bytes ends at @caller. No call ends at @target or @thunk. */
static u8 code[64] = { [3] = 0xe8 };
static const unsigned long caller = (unsigned long)code + 8, target = (unsigned long)code + 24,
	thunk = (unsigned long)code + 40;
static unsigned long words[8];

bool memory_read(void *to, unsigned long addr, size_t bytes)
{
	bool known = IS_IN(code, addr, bytes) || IS_IN(words, addr, bytes);

	if (known)
		memcpy(to, (void *)addr, bytes);
	return known;
}

struct unwind_state {
	unsigned long ip, sp;
	struct pt_regs *regs;
};

/* What the unwinder takes for the thunk's caller */
static unsigned long found_caller;

static void unwind_start(struct unwind_state *state, const struct task_struct *of, struct pt_regs *regs, void *first)
{
	*state = (struct unwind_state) { .ip = found_caller, .sp = regs->sp };
	/* As in a call of NULL, the word on top is the caller. */
	if (!regs->ip)
		memory_read(&state->ip, regs->sp, sizeof(state->ip));
}

static void unwind_next_frame(struct unwind_state *state) { state->ip = 0; }
static unsigned long unwind_get_return_address(const struct unwind_state *state) { return state->ip; }
static bool unwind_done(const struct unwind_state *state) { return !state->ip; }
static bool unwind_error(const struct unwind_state *state) { return false; }

void memory_visit(struct walk_memory *walk, struct walk_frame *f, const struct unwind_state *state,
		  unsigned long ip, unsigned long sp, unsigned long end)
{
}

void memory_keep(struct stack_memory *memory, const struct walk_memory *walk, unsigned int nr,
		 const struct pt_regs *regs)
{
}

#include "../module/record/stack_x86.c"

#define copy_from_kernel_nofault(to, from, size) (memcpy(to, from, size), 0)
#include "../module/show/prologue_x86.c"

/* Whether a function of @nr bytes, of which 14 compares come first, is known to save no other registers */
static bool saves_none(int nr)
{
	static u8 function[128];
	struct prologue prologue;
	int i;

	for (i = 0; i < 14; i++)
		memcpy(function + 7 * i, "\x48\x81\xfe\1\0\0\0", 7);
	memcpy(function + 98, "\x53\x48\x83\xec\x10", 5);	/* push %rbx; sub $16, %rsp */
	return prologue_read((unsigned long)function, (unsigned long)function + nr, &prologue) &&
	       prologue.complete && !prologue.uses;
}

/* The instruction that a sample in the thunk begins with. @regs: what the registers have. */
static unsigned long first_in_thunk(struct pt_regs regs)
{
	struct sample sample = {};

	regs.ip = thunk;
	regs.sp = (unsigned long)words;
	stack_walk(&sample, &regs, NULL);
	return sample.entries[0];
}

static void stacks(void)
{
	start(1000);
	memcpy(words, (unsigned long [8]) { target, caller }, sizeof(words));
	found_caller = target;
	expect("a thunk that returns to its target: the stack begins in the caller, at the call",
	       first_in_thunk((struct pt_regs) { .r11 = target }) == caller - 1);
	memcpy(words, (unsigned long [8]) { 7, target, caller }, sizeof(words));
	expect("so it does if the thunk has called a second one", first_in_thunk((struct pt_regs) { .ax = target }) == caller - 1);
	expect("a word that is in no register is no target", first_in_thunk((struct pt_regs) { .ax = 7 }) == thunk);
	found_caller = caller;
	memcpy(words, (unsigned long [8]) { caller, caller }, sizeof(words));
	expect("nor is an address with a call before it", first_in_thunk((struct pt_regs) { .ax = caller }) == thunk);
	memcpy(words, (unsigned long [8]) { caller }, sizeof(words));
	found_caller = 0;
	memcpy(code + 40, "\x41\xff\xe3", 3);
	expect("a thunk that jumps: the caller is on top of the stack",
	       first_in_thunk((struct pt_regs) { .r11 = target }) == caller - 1);
	expect("a function that has run 84 bytes without a push saves no register", saves_none(84));
	expect("but it may push behind the 96 bytes that are read", !saves_none(103));
}
