// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz SEED COUNT: writes COUNT made-up texts into each file of /proc/trace_irqoff
 * that takes any, and holds every answer against a model of what the files promise:
 * accepted, or refused with which error, and what they read afterwards. The same
 * SEED makes the same texts again, on a machine with as many CPUs.
 *
 * The model knows what is promised and not how the module does it, so that a mistake
 * is not made twice. Where it allows for more than one answer, kernels differ.
 *
 * Prints what differs, at last a line for each file, and exits with 0 when nothing
 * differed and every answer that a file can give was met.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#define DIRECTORY	"/proc/trace_irqoff/"
#define SYSFS_CPUS	"/sys/devices/system/cpu/"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof(*(array)))

#define US		1000ULL			/* in ns, as the next ones */
#define MS		(1000 * US)
#define S		(1000 * MS)
#define HOUR		(3600 * S)

#define WORD_MAX	32			/* bytes that a file takes; cpus: a page */
#define LIST_MAX	65536			/* bytes: the largest page there is */
#define TOO_LONG_MAX	5000			/* bytes above the limit, about */
#define TEXT_MAX	(LIST_MAX + TOO_LONG_MAX)
#define CPUS_MAX	1024
#define READ_MAX	8192			/* bytes: a status with so many CPUs */

#define TOGGLE_EVERY	50			/* writes, on average */
#define LONG_EVERY	40
#define COMPARE_ALL	64			/* writes between looks at all files */
#define MISMATCHES_MAX	10
#define COVERED_FROM	1000			/* writes to a file that meet every answer */

enum answer { ACCEPTED, INVALID, RANGE, TOO_BIG, BUSY, OTHER, NR_ANSWERS };

/* Sets of answers. */
#define ONE(answer)	(1U << (answer))
#define PARSED		(ONE(ACCEPTED) | ONE(BUSY))
#define UNKNOWN		ONE(NR_ANSWERS)	/* not an answer: which CPUs is anyone's guess */

static const struct {
	const char *name;
	int error;
} answers[] = {
	[ACCEPTED] = { "accepted", 0 },
	[INVALID] = { "EINVAL", EINVAL },
	[RANGE] = { "ERANGE", ERANGE },
	[TOO_BIG] = { "E2BIG", E2BIG },
	[BUSY] = { "EBUSY", EBUSY },
	[OTHER] = { "other", -1 },
};

enum { ENABLE, PERIOD, THRESHOLD, CPUS, NR_FILES };

/**
 * struct file - one file under test
 * @name: in /proc/trace_irqoff
 * @gives: answers that it can give
 * @words: texts that it takes, and from which others are made; up to a NULL
 * @limit: bytes that it takes
 * @fd: the one that it is written and read by
 * @writes: made so far
 * @undecided: writes of which the model could not say whether they are accepted
 * @counts: how often each answer was given
 */
static struct file {
	const char *name;
	unsigned int gives;
	const char *words[20];
	size_t limit;
	int fd;
	unsigned long writes, undecided, counts[NR_ANSWERS];
} files[] = {
	[ENABLE] = {
		.name = "enable", .limit = WORD_MAX,
		.gives = ONE(ACCEPTED) | ONE(INVALID) | ONE(TOO_BIG),
		.words = { "0", "n", "no", "off", "false", "f",
			   "1", "y", "yes", "on", "true", "t",
			   "N", "Off", "FALSE", "Y", "On", "TRUE" },
	},
	[PERIOD] = {
		.name = "sampling_period", .limit = WORD_MAX,
		.gives = ONE(ACCEPTED) | ONE(INVALID) | ONE(RANGE) | ONE(TOO_BIG) | ONE(BUSY),
		.words = { "10", "10ms", "500us", "1s", "100us", "1000ms", "1000000us",
			   "1", "20", "30ms", "0020ms", "250us", "999999us", "1234us" },
	},
	[THRESHOLD] = {
		.name = "trace_latency", .limit = WORD_MAX,
		.gives = ONE(ACCEPTED) | ONE(INVALID) | ONE(RANGE) | ONE(TOO_BIG),
		.words = { "0", "50", "50ms", "20500us", "2s", "100ms", "002s", "200us",
			   "1", "3ms", "1500us", "21ms", "650ms", "2000001us",
			   "3600s", "3600000ms", "3600000000us" },
	},
	[CPUS] = {
		.name = "cpus",
		.gives = ONE(ACCEPTED) | ONE(INVALID) | ONE(RANGE) | ONE(TOO_BIG) | ONE(BUSY),
		.words = { "0", "0-0", "1", "0-1", "0,1", "1,0", "0 1", ",0,,1,", "00,001",
			   "0-1:1/2", "0-1:2/2", "0-0:1/1", "1-1:1/4294967295",
			   "0-1:0/1,1", "1-1:1/2\n0", "0\n1", "0\t\n1", "0-N", "all" },
	},
};

struct state {
	bool enabled;
	unsigned long long period_ns, threshold_ns;
	bool cpus[CPUS_MAX];
};

struct text {
	size_t len;
	char bytes[TEXT_MAX];
};

static struct state now;		/* what the module should have */
static unsigned int last_cpu;		/* of those that are possible */
static unsigned int kernel_max;		/* a larger number is no CPU of any machine */
static unsigned long long period_min_ns;
static int status_fd;
static unsigned long nr_writes;
static int mismatches;

/*
 * Chance
 */

static unsigned long long random_state;

/* xorshift64* */
static unsigned long long random_number(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * 0x2545f4914f6cdd1dULL;
}

static unsigned int below(unsigned int limit)
{
	return (random_number() >> 32) % limit;
}

/* Seeds that lie close together shall have nothing in common; and 0 would stay 0. */
static void seed_random(unsigned long long seed)
{
	random_state = (seed + 1) * 0x9e3779b97f4a7c15ULL;
	random_state ^= random_state >> 31;
	if (!random_state)
		random_state = 1;
}

/*
 * The model
 */

/* The kernel's isspace(), to which a Latin-1 blank is one too. */
static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == '\xa0';
}

static bool is_digit(char c)
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

/* Returns the errors, or 0 and a duration of up to an hour. */
static unsigned int model_duration(const char *s, const char *end, unsigned long long *ns)
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

/* A list of regions between commas and white space. */
static unsigned int model_list(const char *s, const char *end, bool *cpus, bool *wide)
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

/* Which answers are right, and the state after a write that is accepted. */
static unsigned int model(int file, const struct text *text, struct state *next)
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

/*
 * Texts
 */

/* splice - take @cut bytes away, and put others there */
static void splice(struct text *text, size_t at, size_t cut, const char *bytes, size_t len)
{
	if (text->len - cut + len > TEXT_MAX)
		return;
	memmove(text->bytes + at + len, text->bytes + at + cut, text->len - at - cut);
	memcpy(text->bytes + at, bytes, len);
	text->len += len - cut;
}

static void add(struct text *text, const char *string)
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

/* A byte that means something to one of the files, or any. */
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

/* Off by -1, 0, 1; or by a little more, as after an overflow. */
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
	default:			/* another case */
		if (rest && ((text->bytes[at] | 0x20) >= 'a' && (text->bytes[at] | 0x20) <= 'z'))
			text->bytes[at] ^= 0x20;
		break;
	}
}

/* About as long as the limit, or too long: nonsense, or a word with much around it. */
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

static void make_text(struct text *text, int file)
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

/*
 * What the module says
 */

/* The file from its beginning; a longer one is cut. */
static void read_file(int fd, const char *name, char *seen)
{
	ssize_t len = pread(fd, seen, READ_MAX - 1, 0);

	if (len < 0)
		err(1, "%s", name);
	seen[len] = '\0';
}

/* cut_line - the line that begins with @key and what follows there, cut from the rest */
static char *cut_line(char *text, const char *key)
{
	char *line = text;

	while (line && strncmp(line, key, strlen(key))) {
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	if (!line)
		return NULL;
	line[strcspn(line, "\n")] = '\0';
	return line + strlen(key);
}

static void show_duration(char *out, unsigned long long ns)
{
	if (ns % MS)
		sprintf(out, "%lluus", ns / US);
	else
		sprintf(out, "%llums", ns / MS);
}

static void show_cpus(char *out, const bool *cpus)
{
	unsigned int first, last;
	const char *comma = "";

	for (first = 0; first <= last_cpu; first = last + 1) {
		last = first;
		if (!cpus[first])
			continue;
		while (last < last_cpu && cpus[last + 1])
			last++;
		out += sprintf(out, first < last ? "%s%u-%u" : "%s%u", comma, first, last);
		comma = ",";
	}
	*out = '\0';
}

/* What the file should read: all of it, or of trace_latency the first line. */
static void show_file(int file, char *out)
{
	switch (file) {
	case ENABLE:
		sprintf(out, now.enabled ? "enabled" : "disabled");
		break;
	case PERIOD:
		show_duration(out, now.period_ns);
		break;
	case THRESHOLD:
		out += sprintf(out, "trace_irqoff_latency: ");
		show_duration(out, now.threshold_ns);
		break;
	default:
		show_cpus(out, now.cpus);
		break;
	}
}

static void print_escaped(const char *bytes, size_t len)
{
	size_t i, shown = len < 400 ? len : 400;

	putchar('"');
	for (i = 0; i < shown; i++) {
		unsigned char c = bytes[i];

		if (c >= ' ' && c < 0x7f && c != '\\' && c != '"')
			putchar(c);
		else
			printf("\\x%02x", c);
	}
	printf("\"%s (%zu bytes)", shown < len ? "..." : "", len);
}

/* begin_mismatch - the head of a report; the caller prints two more lines */
static void begin_mismatch(int file, const struct text *text)
{
	mismatches++;
	printf("write %lu, to %s: ", nr_writes, files[file].name);
	print_escaped(text->bytes, text->len);
	putchar('\n');
}

static bool compare(int file, const struct text *text, const char *name,
		    const char *expected, const char *seen)
{
	if (!strcmp(expected, seen))
		return true;
	begin_mismatch(file, text);
	printf("  expected: %s then reads ", name);
	print_escaped(expected, strlen(expected));
	printf("\n  happened: it reads ");
	print_escaped(seen, strlen(seen));
	putchar('\n');
	return false;
}

static bool compare_file(int file, const struct text *text, int what)
{
	char expected[READ_MAX], seen[READ_MAX];
	char *end;

	show_file(what, expected);
	read_file(files[what].fd, files[what].name, seen);
	/* One line; in trace_latency more follow. */
	end = strchr(seen, '\n');
	if (end && (what == THRESHOLD || !end[1]))
		*end = '\0';
	return compare(file, text, files[what].name, expected, seen);
}

static bool compare_status(int file, const struct text *text)
{
	static const char * const keys[] = { "enabled: ", "sampling_period: ",
					     "threshold: ", "cpus: " };
	char expected[READ_MAX], seen[READ_MAX];
	const char *value;
	bool same = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		switch (i) {
		case ENABLE:
			sprintf(expected, "%d", now.enabled);
			break;
		case THRESHOLD:
			show_duration(expected, now.threshold_ns);
			break;
		default:
			show_file(i, expected);
			break;
		}
		read_file(status_fd, "status", seen);
		value = cut_line(seen, keys[i]) ?: "nothing";
		same &= compare(file, text, keys[i], expected, value);
	}
	return same;
}

static bool compare_all(int file, const struct text *text)
{
	bool same = compare_status(file, text);
	int what;

	for (what = 0; what < NR_FILES; what++)
		same &= compare_file(file, text, what);
	return same;
}

/* What the module has now becomes what it should have: its CPUs. */
static bool adopt_cpus(void)
{
	char seen[READ_MAX];
	bool wide = false;

	read_file(files[CPUS].fd, files[CPUS].name, seen);
	return !model_list(seen, seen + strlen(seen), now.cpus, &wide) && !wide;
}

/* All of it: at the beginning, and after a mismatch. */
static void adopt(void)
{
	char seen[READ_MAX];
	char *value;

	read_file(status_fd, "status", seen);
	value = cut_line(seen, "enabled: ");
	now.enabled = value && !strcmp(value, "1");

	read_file(status_fd, "status", seen);
	value = cut_line(seen, "sampling_period: ");
	if (!value || model_duration(value, value + strlen(value), &now.period_ns))
		errx(1, "status says no period");

	read_file(status_fd, "status", seen);
	value = cut_line(seen, "threshold: ");
	if (!value || model_duration(value, value + strlen(value), &now.threshold_ns))
		errx(1, "status says no threshold");

	if (!adopt_cpus())
		errx(1, "there is no list of CPUs in cpus");
}

/*
 * Writes
 */

static enum answer write_text(int file, const struct text *text)
{
	ssize_t written = write(files[file].fd, text->bytes, text->len);
	int answer = ACCEPTED;

	if (written == (ssize_t)text->len)
		return ACCEPTED;
	if (written < 0)
		while (++answer < OTHER)
			if (answers[answer].error == errno)
				return answer;
	return OTHER;
}

static void print_answers(unsigned int set)
{
	const char *or = "";
	int answer;

	for (answer = 0; answer < NR_ANSWERS; answer++) {
		if (!(set & ONE(answer)))
			continue;
		printf("%s%s", or, answers[answer].name);
		or = " or ";
	}
}

/* Returns whether the module did what it should. */
static bool write_and_compare(int file, const struct text *text)
{
	struct file *f = &files[file];
	struct state next;
	unsigned int right = model(file, text, &next);
	bool undecided = (right & PARSED) && (right & ~(PARSED | UNKNOWN));
	enum answer answer = write_text(file, text);
	int error = errno;

	nr_writes++;
	f->writes++;
	f->counts[answer]++;
	f->undecided += undecided;

	if (!(right & ONE(answer))) {
		begin_mismatch(file, text);
		printf("  expected: ");
		print_answers(right);
		printf("\n  happened: %s\n",
		       answer == OTHER ? strerror(error) : answers[answer].name);
		return false;
	}

	if (answer == ACCEPTED) {
		now = next;
		if ((right & UNKNOWN) && !adopt_cpus()) {
			begin_mismatch(file, text);
			printf("  expected: cpus has a list of possible CPUs\n"
			       "  happened: it has none\n");
			return false;
		}
	}
	return nr_writes % COMPARE_ALL ? compare_file(file, text, file) : compare_all(file, text);
}

static void perform(int file, const struct text *text)
{
	if (!write_and_compare(file, text))
		adopt();
}

static void toggle(void)
{
	static struct text text;

	text.len = 0;
	add(&text, below(2) ? "1" : "0");
	perform(ENABLE, &text);
}

/* Returns whether all answers were met that it can give. */
static bool summary(const struct file *f)
{
	bool met = true;
	int answer;

	printf("%s: %lu writes", f->name, f->writes);
	for (answer = 0; answer < NR_ANSWERS; answer++) {
		if (!(f->gives & ONE(answer)) && !f->counts[answer])
			continue;
		printf(", %s %lu", answers[answer].name, f->counts[answer]);
		if (!f->counts[answer])
			met = false;
	}
	printf(", undecided %lu\n", f->undecided);
	return met;
}

static int open_file(const char *directory, const char *name, int flags)
{
	char path[100];
	int fd;

	snprintf(path, sizeof(path), "%s%s", directory, name);
	fd = open(path, flags | O_CLOEXEC);
	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

/* The last number in a file of sysfs. */
static unsigned int read_cpu(const char *name)
{
	int fd = open_file(SYSFS_CPUS, name, O_RDONLY);
	char seen[READ_MAX];
	char *number;

	read_file(fd, name, seen);
	close(fd);
	number = seen + strcspn(seen, "\n");
	while (number > seen && is_digit(number[-1]))
		number--;
	return strtoul(number, NULL, 10);
}

static void setup(void)
{
	struct timespec resolution;
	int file;

	last_cpu = read_cpu("possible");
	kernel_max = read_cpu("kernel_max");
	if (last_cpu >= CPUS_MAX)
		errx(1, "%u CPUs are too many", last_cpu + 1);
	files[CPUS].limit = sysconf(_SC_PAGESIZE);

	/* A machine without fine timers cannot do what is asked for at the least. */
	clock_getres(CLOCK_MONOTONIC, &resolution);
	period_min_ns = 2 * (resolution.tv_sec * S + resolution.tv_nsec);
	if (period_min_ns < 100 * US)
		period_min_ns = 100 * US;

	for (file = 0; file < NR_FILES; file++)
		files[file].fd = open_file(DIRECTORY, files[file].name, O_RDWR);
	status_fd = open_file(DIRECTORY, "status", O_RDONLY);
	adopt();
}

static unsigned long long argument(const char *word)
{
	unsigned long long number;
	char *end;

	errno = 0;
	number = strtoull(word, &end, 10);
	if (errno || !is_digit(*word) || *end)
		errx(1, "usage: fuzz SEED COUNT");
	return number;
}

int main(int argc, char **argv)
{
	unsigned long long seed, count, i;
	static struct text text;
	bool met = true;
	int file;

	if (argc != 3)
		errx(1, "usage: fuzz SEED COUNT");
	seed = argument(argv[1]);
	count = argument(argv[2]);

	seed_random(seed);
	setup();
	for (i = 0; i < count && mismatches < MISMATCHES_MAX; i++)
		for (file = 0; file < NR_FILES; file++) {
			if (!below(TOGGLE_EVERY))
				toggle();
			make_text(&text, file);
			perform(file, &text);
		}

	for (file = 0; file < NR_FILES; file++)
		met &= summary(&files[file]);
	printf("seed: %llu\n", seed);
	if (mismatches) {
		printf("mismatches: %d\n", mismatches);
		return 1;
	}
	if (count >= COVERED_FROM && !met) {
		printf("an answer was never given\n");
		return 1;
	}
	return 0;
}
