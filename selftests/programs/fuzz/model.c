// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * The model: what the documents promise about each write. The model shares no code with the module,
 * so that a mistake is not made twice. Where the model allows several answers, kernels differ.
 */
#include <string.h>
#include <strings.h>

#include "fuzz.h"
#include "model.h"

struct state now;
unsigned int last_cpu, kernel_max;
unsigned long long period_min_ns;

/* The kernel's isspace() also accepts the no-break space of Latin-1. */
static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == '\xa0';
}

bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Take a number off the front of a text, if there is one. A number above 5,000,000,000 is returned
 * as that: it exceeds 32 bits, and an hour in each unit.
 */
static bool take_number(const char **s, const char *end, unsigned long long *number)
{
	const char *begin = *s;

	for (*number = 0; *s < end && is_digit(**s); ++*s) {
		*number = *number * 10 + (**s - '0');
		if (*number > 5000000000)
			*number = 5000000000;
	}
	return *s > begin;
}

static bool is_word(const char *s, const char *end, const char *word)
{
	return (size_t)(end - s) == strlen(word) && !memcmp(s, word, end - s);
}

unsigned int model_duration(const char *s, const char *end, unsigned long long *ns)
{
	unsigned long long number, unit_ns;

	if (!take_number(&s, end, &number))
		return ONE(INVALID);
	if (is_word(s, end, "us"))
		unit_ns = US;
	else if (is_word(s, end, "ms") || s == end)
		unit_ns = MS;
	else if (is_word(s, end, "s"))
		unit_ns = S;
	else
		return ONE(INVALID);

	*ns = number * unit_ns;
	return *ns > HOUR ? ONE(RANGE) : 0;
}

static unsigned int model_period(const char *s, const char *end, struct state *next)
{
	unsigned long long ns;
	unsigned int errors = model_duration(s, end, &ns);

	if (errors)
		return errors;
	if (ns < period_min_ns || ns > S)
		return ONE(RANGE);
	if (next->enabled)
		return ONE(BUSY);

	next->period_ns = ns;
	if (next->threshold_ns < 2 * ns)
		next->threshold_ns = 2 * ns;
	return ONE(ACCEPTED);
}

static unsigned int model_threshold(const char *s, const char *end, struct state *next)
{
	unsigned long long ns;
	unsigned int errors;

	/* "0" clears the records. */
	if (is_word(s, end, "0"))
		return ONE(ACCEPTED);

	errors = model_duration(s, end, &ns);
	if (errors)
		return errors;
	if (ns < 2 * next->period_ns)
		return ONE(INVALID);

	next->threshold_ns = ns;
	return ONE(ACCEPTED);
}

static unsigned int model_enable(const char *s, const char *end, struct state *next)
{
	static const char * const no[] = { "0", "n", "no", "off", "false", "f" };
	static const char * const yes[] = { "1", "y", "yes", "on", "true", "t" };
	char word[WORD_MAX + 1];
	size_t i;

	memcpy(word, s, end - s);
	word[end - s] = '\0';
	for (i = 0; i < ARRAY_SIZE(no); i++) {
		if (strcasecmp(word, no[i]) && strcasecmp(word, yes[i]))
			continue;
		next->enabled = !strcasecmp(word, yes[i]);
		return ONE(ACCEPTED);
	}
	return ONE(INVALID);
}

/*
 * Add the CPUs of one region, "a", "a-b" or "a-b:used/group". Return: the set of its errors; the
 * kernel may find any of them first. Sets *wide if the region ends beyond the last CPU: kernels
 * differ in how many CPUs a list may have.
 */
static unsigned int model_region(const char *s, const char *end, bool *cpus, bool *wide)
{
	unsigned long long first, last, used = 1, group = 1, cpu;
	unsigned int errors = 0, begin;

	if (!take_number(&s, end, &first))
		return ONE(INVALID);
	if (first > 0xffffffff)
		errors |= ONE(RANGE);

	last = first;
	if (s < end) {
		if (*s++ != '-' || !take_number(&s, end, &last))
			return errors | ONE(INVALID);
		if (last > 0xffffffff)
			errors |= ONE(RANGE);
	}
	/* Without a group, the kernel computes one as b + 1 in 32 bits. */
	if (s == end && last == 0xffffffff)
		errors |= ONE(INVALID);
	if (s < end) {
		if (*s++ != ':' || !take_number(&s, end, &used))
			return errors | ONE(INVALID);
		if (used > 0xffffffff)
			errors |= ONE(RANGE);
		if (s == end || *s++ != '/' || !take_number(&s, end, &group))
			return errors | ONE(INVALID);
		if (group > 0xffffffff)
			errors |= ONE(RANGE);
		if (s < end)
			errors |= ONE(INVALID);
	}
	if (first > last || !group || used > group)
		errors |= ONE(INVALID);
	if (last > kernel_max)
		errors |= ONE(RANGE);
	else if (last > last_cpu)
		*wide = true;
	if (errors)
		return errors;

	/* The kernel adds in 32 bits: a group of almost 2^32 CPUs wraps around. */
	for (begin = first; begin <= last; begin += group) {
		for (cpu = begin; cpu <= last && cpu < begin + used; cpu++) {
			if (cpu > last_cpu)
				return ONE(RANGE);
			cpus[cpu] = true;
		}
	}
	return 0;
}

unsigned int model_list(const char *s, const char *end, bool *cpus, bool *wide)
{
	unsigned int errors = 0;
	const char *region;

	memset(cpus, false, CPUS_MAX);
	do {
		while (s < end && (is_space(*s) || *s == ','))
			s++;
		for (region = s; s < end && !is_space(*s) && *s != ','; )
			s++;
		if (s > region)
			errors |= model_region(region, s, cpus, wide);
	} while (s < end);

	if (!errors && !memchr(cpus, true, CPUS_MAX))
		errors = ONE(INVALID);
	return errors;
}

/* Return: whether a list has "N" or "all", which only some kernels know. */
static bool has_words(const char *s, const char *end)
{
	for (; s < end; s++)
		if (*s == 'n' || *s == 'N' || (end - s >= 3 && !strncasecmp(s, "all", 3)))
			return true;
	return false;
}

static unsigned int model_cpus(const char *s, const char *end, struct state *next)
{
	unsigned int taken = ONE(next->enabled ? BUSY : ACCEPTED);
	bool wide = false;
	unsigned int errors;

	/* Some kernels take this character for the end of the list. */
	if (memchr(s, '\n', end - s))
		return ONE(INVALID);

	errors = model_list(s, end, next->cpus, &wide);
	if (has_words(s, end))
		return taken | ONE(INVALID) | ONE(RANGE) | UNKNOWN;
	return (errors ?: taken) | (wide ? ONE(RANGE) : 0);
}

unsigned int model(int file, const struct text *text, struct state *next)
{
	const char *s = text->bytes, *end = s + text->len;

	*next = now;
	if (text->len > files[file].limit)
		return ONE(TOO_BIG);
	if (memchr(s, '\0', text->len))
		return ONE(INVALID);

	while (s < end && is_space(*s))
		s++;
	while (s < end && is_space(end[-1]))
		end--;

	switch (file) {
	case ENABLE:
		return model_enable(s, end, next);
	case PERIOD:
		return model_period(s, end, next);
	case THRESHOLD:
		return model_threshold(s, end, next);
	default:
		return model_cpus(s, end, next);
	}
}
