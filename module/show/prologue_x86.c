// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Which registers does a function save for its caller? Its first instructions tell. Compilers mix
 * the pushes with other instructions, so the length of each instruction must be known. The kernel
 * does not export its decoder. Context: process or panic.
 */
#include <linux/bits.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "show/prologue.h"

#define CODE_BYTES	96	/* of a function that are read */
#define LONGEST_INSN	16	/* bytes */
#define ENDBR_BYTES	4	/* of the marker that a function may begin with */

/* Bytes of the operand in memory or in a register that follows an opcode. */
static int operand_bytes(const u8 *modrm)
{
	int mod = *modrm >> 6, rm = *modrm & 7;

	if (mod == 3)
		return 1;
	if (rm == 4)
		return 2 + (mod == 1 ? 1 : mod == 2 || (modrm[1] & 7) == 5 ? 4 : 0);
	return 1 + (mod == 1 ? 1 : mod == 2 || rm == 5 ? 4 : 0);
}

/* Opcodes after 0f. */
static int insn_0f_bytes(const u8 *code)
{
	switch (*code) {
	case 0x0b: case 0x30 ... 0x32: case 0xa2: case 0xc8 ... 0xcf:
		return 1;			/* ud2, msr, tsc, cpuid, bswap */
	case 0x1e: case 0x1f:			/* endbr64, nop */
	case 0x40 ... 0x4f: case 0x90 ... 0x9f:	/* cmov, set */
	case 0xa3: case 0xab: case 0xae: case 0xaf: case 0xb1: case 0xb3: case 0xb6: case 0xb7:
	case 0xbc ... 0xbf: case 0xc0: case 0xc1:
		return 1 + operand_bytes(code + 1);
	case 0xba:
		return 2 + operand_bytes(code + 1);
	case 0x80 ... 0x8f:			/* conditional jump */
		return 5;
	}
	return 0;
}

/* Bytes of an instruction of the kinds that stand in and near a prologue; 0: of another kind. */
static int insn_bytes(const u8 *code)
{
	const u8 *begin = code;
	bool wide = false;
	int imm = 4, n;

	for (; memchr("\x2e\x65\x66\xf0\xf2\xf3", *code, 6); code++)
		if (*code == 0x66)
			imm = 2;
	if ((*code & 0xf0) == 0x40)
		wide = *code++ & 8;
	n = code - begin + 1;
	switch (*code) {
	case 0x0f:
		imm = insn_0f_bytes(code + 1);
		return imm ? n + imm : 0;
	case 0x00 ... 0x03: case 0x08 ... 0x0b: case 0x10 ... 0x13: case 0x18 ... 0x1b:
	case 0x20 ... 0x23: case 0x28 ... 0x2b: case 0x30 ... 0x33: case 0x38 ... 0x3b:
	case 0x63: case 0x84 ... 0x8b: case 0x8d: case 0xd0 ... 0xd3:
		return n + operand_bytes(code + 1);
	case 0x6b: case 0x80: case 0x83: case 0xc0: case 0xc1: case 0xc6:
		return n + operand_bytes(code + 1) + 1;
	case 0x69: case 0x81: case 0xc7:
		return n + operand_bytes(code + 1) + imm;
	case 0xf6: case 0xf7:
		n += operand_bytes(code + 1);
		return code[1] & 0x38 ? n : n + (*code == 0xf6 ? 1 : imm);
	case 0xff:				/* increment, decrement, push */
		return (code[1] & 0x30) == 0 || (code[1] & 0x38) == 0x30 ?
		       n + operand_bytes(code + 1) : 0;
	case 0x3c: case 0x6a: case 0xa8: case 0xb0 ... 0xb7: case 0x70 ... 0x7f: case 0xeb:
		return n + 1;
	case 0x05: case 0x0d: case 0x25: case 0x2d: case 0x35: case 0x3d: case 0x68: case 0xa9:
	case 0xe9:
		return n + imm;
	case 0xb8 ... 0xbf:
		return n + (wide ? 8 : imm);
	case 0x50 ... 0x57: case 0x90: case 0x98: case 0x99: case 0xa4 ... 0xa7: case 0xaa ... 0xaf:
	case 0xc3: case 0xcc: case 0xfc:	/* return, padding, and strings among them */
		return n;
	}
	return 0;
}

/* Return: what is pushed: a register's number of struct prologue; PUSH_OTHER; -1: nothing. */
#define RBP		4
#define RBX		5
#define PUSH_OTHER	NR_SAVED

static int insn_pushes(const u8 *code)
{
	bool high = (*code & 0xf0) == 0x40 && (*code & 1);

	if ((*code & 0xf0) == 0x40)
		code++;
	if (*code == 0x68 || *code == 0x6a || (*code == 0xff && (code[1] & 0x38) == 0x30))
		return PUSH_OTHER;
	if (*code < 0x50 || *code > 0x57)
		return -1;
	if (high)
		return *code >= 0x54 ? 0x57 - *code : PUSH_OTHER;
	return *code == 0x55 ? RBP : *code == 0x53 ? RBX : PUSH_OTHER;
}

/* An instruction that changes the stack pointer: "sub" and "add" 48 83 (or 81) ec (c4), "and" e4 */
static bool insn_changes_sp(const u8 *code, u8 operand)
{
	return code[0] == 0x48 && (code[1] == 0x83 || code[1] == 0x81) && code[2] == operand;
}

/* If this number of other instructions follow a push, it was the last one. */
#define INSNS_AFTER_PUSHES	4

bool prologue_read(unsigned long function, unsigned long ip, struct prologue *prologue)
{
	u8 code[CODE_BYTES + LONGEST_INSN] = {};
	int size = min_t(unsigned long, ip - function, CODE_BYTES), at, bytes, reg;
	bool realigned = false, leaves;
	int others = 0;

	memset(prologue, 0, sizeof(*prologue));
	if (copy_from_kernel_nofault(code, (void *)ip, 1))
		return false;
	/* "ret", or a jump to a return thunk */
	leaves = *code == 0xc3 || *code == 0xe9;
	if (copy_from_kernel_nofault(code, (void *)function, size))
		return false;
	for (at = 0; at < size; at += bytes) {
		const u8 *insn = code + at;

		/* The function tracer's call, or a breakpoint while that call is changed. */
		if ((*insn == 0xe8 || *insn == 0xcc) && at <= ENDBR_BYTES) {
			bytes = 5;
			continue;
		}
		/* Local variables, or the call of another function, follow. */
		if (insn_changes_sp(insn, 0xec) || insn_changes_sp(insn, 0xc4) || *insn == 0xe8 ||
		    (*insn == 0xff && (insn[1] & 0x38) == 0x10)) {
			prologue->complete = true;
			return true;
		}
		/* mov %rsp,%rbp */
		if (insn[0] == 0x48 && insn[1] == 0x89 && insn[2] == 0xe5)
			prologue->has_frame = !leaves && prologue->uses & BIT(RBP);
		/* Padding follows, of unknown size. */
		realigned |= insn_changes_sp(insn, 0xe4);
		bytes = insn_bytes(insn);
		if (!bytes)
			break;
		reg = insn_pushes(insn);
		others = reg < 0 ? others + 1 : 0;
		if (reg < 0 || (reg < PUSH_OTHER && prologue->uses & BIT(reg)))
			continue;
		if (reg < PUSH_OTHER)
			prologue->uses |= BIT(reg);
		if (!realigned && prologue->nr < NR_SAVED)
			prologue->saved[prologue->nr++] = reg;
	}
	/* Pushes may come only behind CODE_BYTES, after an early return. */
	prologue->complete = (at >= size && size < CODE_BYTES) ||
			     (prologue->uses && others >= INSNS_AFTER_PUSHES);
	return true;
}

void prologue_of_interrupt(struct prologue *prologue)
{
	int reg;

	*prologue = (struct prologue) {
		.nr = NR_SAVED, .uses = BIT(NR_SAVED) - 1, .complete = true,
	};
	for (reg = 0; reg < NR_SAVED; reg++)
		prologue->saved[reg] = reg;
}

bool prologue_is_called(unsigned long function, unsigned long addr)
{
	u8 call[5];
	s32 offset;

	if (copy_from_kernel_nofault(call, (void *)(addr - sizeof(call)), sizeof(call)))
		return false;
	memcpy(&offset, call + 1, sizeof(offset));
	return call[0] == 0xe8 && addr + offset == function;
}
