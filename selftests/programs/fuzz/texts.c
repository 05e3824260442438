// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Random texts: valid words with faults in them, numbers close to a limit, nonsense, and texts
 * that are too long.
 */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "model.h"
#include "texts.h"

#define LONG_EVERY	40			/* texts, on average */

static unsigned long long random_state;

/* xorshift64* */
static unsigned long long random_number(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * 0x2545f4914f6cdd1dULL;
}

unsigned int below(unsigned int limit)
{
	return (random_number() >> 32) % limit;
}

/* Spread close seeds apart. The generator must not start with 0, as it would stay 0. */
void seed_random(unsigned long long seed)
{
	random_state = (seed + 1) * 0x9e3779b97f4a7c15ULL;
	random_state ^= random_state >> 31;
	if (!random_state)
		random_state = 1;
}

/* Replace @cut bytes by others. */
static void splice(struct text *text, size_t at, size_t cut, const char *bytes, size_t len)
{
	if (text->len - cut + len > TEXT_MAX)
		return;
	memmove(text->bytes + at + len, text->bytes + at + cut, text->len - at - cut);
	memcpy(text->bytes + at, bytes, len);
	text->len += len - cut;
}

void add(struct text *text, const char *string)
{
	splice(text, text->len, 0, string, strlen(string));
}

static void add_number(struct text *text, unsigned long long number)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%llu", number);
	add(text, digits);
}

static void add_word(struct text *text, int file)
{
	const char * const *words = files[file].words;
	unsigned int nr = 0;

	while (words[nr])
		nr++;
	add(text, words[below(nr)]);
}

/* A byte that has a meaning in one of the files, or any byte. */
static char random_byte(void)
{
	static const char likely[] =
		"00112345678999--::/,,+.xX \t\n\v\f\r\xa0\0uUmMsSnNaAlLeEyYtTfF";

	return below(4) ? likely[below(sizeof(likely) - 1)] : (char)below(256);
}

static char random_space(void)
{
	return " \t\n\v\f\r\xa0"[below(7)];
}

static void add_bytes(struct text *text, size_t len, char (*byte)(void))
{
	char c;

	while (len--) {
		c = byte();
		splice(text, text->len, 0, &c, 1);
	}
}

static char any_byte(void)
{
	return (char)below(256);
}

/* @number plus -1, 0 or 1; or plus up to 199, as after an overflow. */
static unsigned long long near(unsigned long long number)
{
	return below(4) ? number + below(3) - 1 : number + below(200);
}

static void add_duration(struct text *text)
{
	static const char * const units[] = { "", "us", "ms", "s", "", "us", "ms", "s",
					      "ns", "m", "h", "US", "Ms", " ms", "uss", "\0" };
	static const unsigned long long unit_ns[] = { MS, US, MS, S };
	static const char * const large[] = {
		"18446744073709551614", "18446744073709551615", "18446744073709551616",
		"18446744073709551617", "18446744073709551716", "99999999999999999999",
		"36893488147419103232", "340282366920938463463374607431768211457",
	};
	const unsigned long long limits[] = {
		0, period_min_ns, now.period_ns, 2 * now.period_ns, now.threshold_ns / 2,
		now.threshold_ns, S, HOUR, 1ULL << 32, 1ULL << 63, ~0ULL,
	};
	unsigned int unit = below(ARRAY_SIZE(units));

	switch (below(4)) {
	case 0:
		add(text, large[below(ARRAY_SIZE(large))]);
		break;
	case 1:
		add_number(text, near(limits[below(ARRAY_SIZE(limits))]));
		break;
	default:
		add_number(text, near(limits[below(ARRAY_SIZE(limits))] / unit_ns[unit % 4]));
		break;
	}
	add(text, units[unit]);
}

static void add_cpu(struct text *text)
{
	const unsigned long long numbers[] = {
		0, 1, last_cpu, last_cpu + 1, 63, 64, kernel_max, kernel_max + 1,
		0xffffffff, 1ULL << 32, 1ULL << 63, ~0ULL,
	};
	static const char * const rare[] = { "", "N", "n", "18446744073709551616", "+1", "0x1" };

	if (!below(40))
		add(text, rare[below(ARRAY_SIZE(rare))]);
	else if (below(8))
		add_number(text, below(last_cpu + 1));
	else
		add_number(text, near(numbers[below(ARRAY_SIZE(numbers))]));
}

static void add_list(struct text *text)
{
	static const char * const between[] = {
		",", ",", " ", ",,", "\n", "\t", ",\t\n", "\xa0", "",
	};
	int regions;

	for (regions = 1 + below(4); regions; regions--) {
		add_cpu(text);
		if (below(2)) {
			add(text, "-");
			add_cpu(text);
			if (below(2)) {
				add(text, ":");
				add_cpu(text);
				add(text, "/");
				add_cpu(text);
			}
		}
		if (regions > 1)
			add(text, between[below(ARRAY_SIZE(between))]);
	}
}

static void mutate(struct text *text, int file)
{
	char c = random_byte();
	size_t at = below(text->len + 1);
	size_t rest = text->len - at;
	size_t some = rest ? 1 + below(rest) : 0;
	char copy[TEXT_MAX];

	switch (below(7)) {
	case 0:				/* insert */
		splice(text, at, 0, &c, 1);
		break;
	case 1:				/* delete */
		splice(text, at, some ? 1 : 0, NULL, 0);
		break;
	case 2:				/* replace */
		splice(text, at, some ? 1 : 0, &c, 1);
		break;
	case 3:				/* duplicate */
		memcpy(copy, text->bytes + at, some);
		splice(text, at, 0, copy, some);
		break;
	case 4:				/* truncate */
		splice(text, at, rest, NULL, 0);
		break;
	case 5:				/* concatenate */
		add_word(text, file);
		break;
	default:			/* upper or lower case */
		if (rest && ((text->bytes[at] | 0x20) >= 'a' && (text->bytes[at] | 0x20) <= 'z'))
			text->bytes[at] ^= 0x20;
		break;
	}
}

/* Nonsense, or a word in much white space, about as long as the limit or longer. */
static void make_long(struct text *text, int file)
{
	size_t limit = files[file].limit;
	size_t len = below(2) ? limit - 1 + below(3) : limit + 1 + below(TOO_LONG_MAX - WORD_MAX);
	char padding[TEXT_MAX];

	if (!below(3)) {
		add_bytes(text, len, below(2) ? any_byte : random_byte);
		return;
	}
	add_word(text, file);
	len -= text->len;
	memset(padding, "\n\xa0\t 0,"[below(6)], len);
	splice(text, below(2) ? 0 : text->len, 0, padding, len);
}

void make_text(struct text *text, int file)
{
	int mutations;

	text->len = 0;
	if (!below(LONG_EVERY)) {
		make_long(text, file);
		return;
	}

	switch (below(16)) {
	case 0 ... 3:
		add_word(text, file);
		break;
	case 4 ... 8:
		add_word(text, file);
		for (mutations = 1 + below(4); mutations; mutations--)
			mutate(text, file);
		break;
	case 9 ... 12:
		if (file == CPUS)
			add_list(text);
		else
			add_duration(text);
		if (!below(8))
			mutate(text, file);
		break;
	default:
		add_bytes(text, below(41), below(2) ? any_byte : random_byte);
		break;
	}

	if (!below(4))
		add_bytes(text, 1 + below(3), random_space);
	if (!below(8))
		splice(text, 0, 0, (const char[]){ random_space() }, 1);
}
