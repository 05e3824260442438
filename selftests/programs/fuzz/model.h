/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* The model: the right answers to a write, and the contents of the files afterwards. */
#ifndef FUZZ_MODEL_H
#define FUZZ_MODEL_H

#include <stdbool.h>

#define CPUS_MAX	1024

/* Sets of answers. */
#define ONE(answer)	(1U << (answer))
#define PARSED		(ONE(ACCEPTED) | ONE(BUSY))
#define UNKNOWN		ONE(NR_ANSWERS)	/* not an answer: the CPUs are unknown */

struct text;

struct state {
	bool enabled;
	unsigned long long period_ns, threshold_ns;
	bool cpus[CPUS_MAX];
};

extern struct state now;			/* what the module must have */

extern unsigned int last_cpu;			/* the largest possible CPU */
extern unsigned int kernel_max;			/* the largest CPU that the kernel can have */
extern unsigned long long period_min_ns;

/** model() - Return: the right answers to a write. @next: the state once it is accepted. */
unsigned int model(int file, const struct text *text, struct state *next);

/** model_duration() - Return: the errors of a duration; 0: it is valid. */
unsigned int model_duration(const char *s, const char *end, unsigned long long *ns);

/** model_list() - Return: the errors of a CPU list, or 0. @wide: it ends beyond the last CPU. */
unsigned int model_list(const char *s, const char *end, bool *cpus, bool *wide);

/** is_digit() - Return: whether a byte is a digit, in any locale. */
bool is_digit(char c);

#endif /* FUZZ_MODEL_H */
