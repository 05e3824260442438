/* SPDX-License-Identifier: GPL-2.0 */
/* The model: which answers to a write are right, and what the files read afterwards. */
#ifndef FUZZ_MODEL_H
#define FUZZ_MODEL_H

#include <stdbool.h>

#define CPUS_MAX	1024

/* Sets of answers. */
#define ONE(answer)	(1U << (answer))
#define PARSED		(ONE(ACCEPTED) | ONE(BUSY))
#define UNKNOWN		ONE(NR_ANSWERS)	/* not an answer: which CPUs is anyone's guess */

struct text;

struct state {
	bool enabled, nosched;
	unsigned long long period_ns, threshold_ns;
	bool cpus[CPUS_MAX];
};

extern struct state now;			/* what the module should have */

extern unsigned int last_cpu;			/* of those that are possible */
extern unsigned int kernel_max;			/* a larger number is no CPU of any machine */
extern unsigned long long period_min_ns;

/** model() - the answers that are right, and the state after a write that is accepted. */
unsigned int model(int file, const struct text *text, struct state *next);

/** model_duration() - the errors, or 0 and a duration of up to an hour. */
unsigned int model_duration(const char *s, const char *end, unsigned long long *ns);

/** model_list() - the errors, or 0 and CPUs; @wide is set by one beyond the last CPU. */
unsigned int model_list(const char *s, const char *end, bool *cpus, bool *wide);

/** is_digit() - in any locale. */
bool is_digit(char c);

#endif /* FUZZ_MODEL_H */
