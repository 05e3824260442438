// SPDX-License-Identifier: GPL-2.0
/*
 * The model: what the files of the module promise about each write.
 *
 * It knows what is promised and not how the module does it, so that a mistake is not
 * made twice. Where it allows for more than one answer, kernels differ.
 */
#include <string.h>
#include <strings.h>

#include "fuzz.h"
#include "model.h"

struct state now;
unsigned int last_cpu, kernel_max;
unsigned long long period_min_ns;

/* The kernel's isspace(), to which a Latin-1 blank is one too. */
static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == '\xa0';
}

bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Takes a number off the front, if there is one. Of 5,000,000,000 and more only that
 * it is too much for everything: for 32 bits, and for an hour in any unit.
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

	/* That clears what was measured. */
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

static unsigned int model_bool(const char *s, const char *end, bool *value)
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
		*value = !strcasecmp(word, yes[i]);
		return ONE(ACCEPTED);
	}
	return ONE(INVALID);
}

/*
 * One region, "a", "a-b" or "a-b:used/group": adds its CPUs, and returns the errors
 * that it deserves, of which the kernel may find any first. *wide is set when it ends
 * beyond the last CPU, which is an error or not: kernels count with more or less CPUs
 * than are possible.
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
	/* Without a group, the kernel makes one of b + 1 in 32 bits. */
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

	/* In 32 bits: behind a group of almost 2^32 CPUs it goes on before the first. */
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

/* Does it have a word for "the last" or "all" CPUs, which only some kernels know? */
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

	/* To the kernel's parser it may be the end of the list. */
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
		return model_bool(s, end, &next->enabled);
	case NOSCHED:
		return model_bool(s, end, &next->nosched);
	case PERIOD:
		return model_period(s, end, next);
	case THRESHOLD:
		return model_threshold(s, end, next);
	default:
		return model_cpus(s, end, next);
	}
}
