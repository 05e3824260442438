// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * fuzz SEED COUNT: writes COUNT random texts to the writable files of /proc/trace_irqoff. A write
 * that is accepted must set what the text says, and nothing else. A write that is refused must
 * change nothing, and its errno must be one that Documentation/files.md lists for the file. Each
 * file must give all of its answers. A SEED repeats the texts. Exit status: 1: a wrong answer.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SESSION_EVERY	40	/* writes, on average, until a session is opened or closed */
#define TEXT_MAX	5000	/* bytes, more than any file takes */
#define SPACE		"\n\t\v\f\r \xa0"	/* as the kernel's isspace() */
#define ANY_CPUS	~0ULL
#define ARRAY_SIZE(a)	((int)(sizeof(a) / sizeof(*(a))))

enum {
	ENABLE, NOSCHED, CPUS, PERIOD, THRESHOLD, NR_SETTINGS, RECORDS = NR_SETTINGS, SESSION,
	NR_FILES
};

static const int answers[] = { 0, EINVAL, E2BIG, ERANGE, EBUSY };

/* Odd words enable. Files show the last two, which are no valid texts. */
#define SWITCH "0", "1", "n", "y", "No", "YES", "off", "on", "F", "t", "false", "True", \
	"disabled", "enabled"
#define DURATION "0", "1", "2", "5", "10", "50", "500", "1000", "3600", "3601", "99", \
	"18446744073709551617", "us", "us", "ms", "ms", "s", "ns", "-", " "

/* @pieces: texts are made of these. @never: an answer that the file does not give. */
static const struct file {
	const char *name, *name_in_session, *pieces[24];
	size_t limit;
	int never;
} files[NR_FILES] = {
	{ "enable", "enable", { SWITCH }, 32, ERANGE },
	{ "nosched", "nosched", { SWITCH }, 32, ERANGE },
	{ "cpus", "cpus", { "0", "1", "0-1", "1-0", "1,0", "00", ",", "-", ":1/2", " ", "\n", "N",
	  "4096", "4294967296", "all", "x" }, 4096, -1 },
	{ "sampling_period", "sampling_period", { DURATION }, 32, -1 },
	{ "trace_latency", "threshold", { DURATION }, 32, -1 },
	{ "records", NULL, { "0", "1", "2", "7", "-", " ", "x", "9223372036854775807",
	  "99999999999999999999" }, 32, EBUSY },
	{ "session", NULL, { NULL }, 4096, EBUSY },
};

/* What the files show: 0 or 1; a set of CPUs; microseconds; the record that is read next, or 0. */
struct state {
	unsigned long long value[NR_FILES];
};

static int fds[NR_FILES];
static unsigned int given[NR_FILES][ARRAY_SIZE(answers)];
static struct state now, before_session;
static unsigned long long random_state, after_record;

static unsigned int draw(unsigned int below)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return (unsigned int)((random_state * 0x2545f4914f6cdd1dULL) >> 33) % below;
}

/* Return: whether the text is a value of the file. */
static bool read_value(int file, const char *text, unsigned long long *value)
{
	static const char * const switches[] = { SWITCH };
	static const struct {
		const char *name;
		unsigned int us;
	} units[] = { { "", 1000 }, { "us", 1 }, { "ms", 1000 }, { "s", 1000000 } };
	unsigned int first, last;
	char *end;
	int i = 0;

	if (file == ENABLE || file == NOSCHED) {
		while (i < ARRAY_SIZE(switches) && strcasecmp(text, switches[i]))
			i++;
		*value = i & 1;
		return i < ARRAY_SIZE(switches);
	}
	if (file != CPUS) {
		*value = strtoull(text, &end, 10);
		if (!isdigit((unsigned char)*text) || file == RECORDS)
			return isdigit((unsigned char)*text) && !*end;
		while (i < ARRAY_SIZE(units) && strcmp(end, units[i].name))
			i++;
		*value *= units[i % ARRAY_SIZE(units)].us;
		return i < ARRAY_SIZE(units);
	}
	/* Only the kernel knows what a list with blanks, groups or words means. */
	if (text[strspn(text, "0123456789-,")]) {
		*value = ANY_CPUS;
		return !strchr(text, '\n');
	}
	text += strspn(text, ",");
	for (*value = 0; isdigit((unsigned char)*text); text += i + strspn(text + i, ",")) {
		if (sscanf(text, "%u%n-%u%n", &first, &i, &last, &i) == 1)
			last = first;
		for (; first <= last && last < 64; first++)
			*value |= 1ULL << first;
	}
	return !*text;
}

static struct state read_all(void)
{
	char text[TEXT_MAX], *value;
	struct state state = {};
	ssize_t length;
	int i;

	for (i = 0; i <= RECORDS; i++) {
		length = pread(fds[i], text, sizeof(text) - 1, 0);
		if (length < 0)
			err(2, "cannot read %s", files[i].name);
		text[length] = '\0';
		value = text;
		if (length && i >= THRESHOLD) {	/* "trace_irqoff_latency: 50ms", "seq=7 ..." */
			value += strcspn(text, "= ");
			value += strspn(value, "= ");
		}
		value[strcspn(value, "\n ")] = '\0';
		if (length && !read_value(i, value, &state.value[i]))
			errx(1, "%s shows %s", files[i].name, text);
	}
	return state;
}

/* Set @next to what an accepted text says. Return: whether the text is valid. Changes the text. */
static bool obey(int file, char *text, struct state *next)
{
	char *word, *name;
	bool valid = true;
	int i;

	if (file == THRESHOLD && !strcmp(text, "0")) {
		next->value[RECORDS] = 0;
		return true;
	}
	next->value[THRESHOLD] = 0;
	if (file != SESSION)
		valid = read_value(file, text, &next->value[file]);
	while (valid && file == SESSION && (word = strsep(&text, " "))) {
		name = strsep(&word, "=");
		for (i = 0; i < NR_SETTINGS && strcmp(name, files[i].name_in_session); i++)
			;
		valid = i < NR_SETTINGS && word && read_value(i, word, &next->value[i]);
	}
	/* A period raises a threshold that the text does not set. */
	if (!next->value[THRESHOLD]) {
		next->value[THRESHOLD] = 2 * next->value[PERIOD];
		if (next->value[THRESHOLD] < now.value[THRESHOLD])
			next->value[THRESHOLD] = now.value[THRESHOLD];
	}
	return valid;
}

/* Return: whether the files show @expected. Read them into @now. */
static bool is_right(struct state expected)
{
	now = read_all();
	if (expected.value[CPUS] == ANY_CPUS)
		expected.value[CPUS] = now.value[CPUS];
	/* Records may be added meanwhile. */
	return !memcmp(now.value, expected.value, NR_SETTINGS * sizeof(*now.value)) &&
	       (now.value[RECORDS] ? now.value[RECORDS] > after_record : !expected.value[RECORDS]);
}

static void add_value(char *text, int file)
{
	unsigned int nr = 0, left = 1 + draw(3);

	while (files[file].pieces[nr])
		nr++;
	while (left--)
		strcat(text, files[file].pieces[draw(nr)]);
}

/* Return: the length of the text, which may contain a NUL. */
static size_t make_text(char text[TEXT_MAX], int file)
{
	int setting, settings = file == SESSION ? 1 + draw(3) : 0;
	size_t length, more;

	*text = '\0';
	if (file != SESSION)
		add_value(text, file);
	while (settings--) {
		setting = draw(NR_SETTINGS);
		strcat(strcat(text, files[setting].name_in_session), draw(20) ? "=" : "");
		add_value(text, setting);
		strcat(text, settings ? " " : "");
	}
	length = strlen(text);
	if (!draw(8))
		text[length++] = '\n';
	if (!draw(16))
		text[draw(length)] = draw(256);
	/* As long as the limit, or one byte longer: blanks are no part of a value, digits are. */
	if (!draw(16)) {
		more = files[file].limit + draw(2);
		memset(text + length, "\n1"[draw(2)], more > length ? more - length : 0);
		length = more;
	}
	text[length] = '\0';
	return length;
}

/* Return: whether the answer to a random text is right. */
static bool try_text(int file)
{
	static char text[TEXT_MAX];
	size_t length = make_text(text, file);
	bool has_nul = strlen(text) != length, right;
	int i = 0, error = write(fds[file], text, length) < 0 ? errno : 0;
	struct state next = now;
	char *value = text + strspn(text, SPACE);

	while (i < ARRAY_SIZE(answers) && answers[i] != error)
		i++;
	right = i < ARRAY_SIZE(answers) && error != files[file].never;
	given[file][right ? i : 0]++;
	if (!error) {
		while (*value && strchr(SPACE, value[strlen(value) - 1]))
			value[strlen(value) - 1] = '\0';
		right = !has_nul && obey(file, value, &next);
		if (file == RECORDS) {
			after_record = next.value[RECORDS];
			next.value[RECORDS] = 0;
		}
	}
	if (is_right(next) && right)
		return true;
	printf("%s: wrong answer to '%.200s': %s\n", files[file].name, value, strerror(error));
	return false;
}

/* The end of a session restores the settings. Return: false if it does not. */
static bool toggle_session(void)
{
	int *fd = &fds[SESSION];

	if (*fd < 0) {
		*fd = open("/proc/trace_irqoff/session", O_WRONLY);
		before_session = now;
		return *fd >= 0;
	}
	close(*fd);
	*fd = -1;
	before_session.value[RECORDS] = 0;
	return is_right(before_session);
}

int main(int argc, char **argv)
{
	bool right = true;
	long left;
	int i, j;

	if (argc != 3 || chdir("/proc/trace_irqoff"))
		errx(2, "usage: fuzz SEED COUNT");
	random_state = strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15ULL + 1;
	left = atol(argv[2]);
	for (i = 0; i < SESSION; i++) {
		fds[i] = open(files[i].name, O_RDWR);
		if (fds[i] < 0)
			err(2, "%s", files[i].name);
	}
	fds[SESSION] = -1;

	for (now = read_all(); right && left; left--) {
		if (!draw(SESSION_EVERY))
			right = toggle_session();
		right &= try_text(draw(NR_FILES - (fds[SESSION] < 0)));
	}
	for (i = 0; i < NR_FILES; i++) {
		printf("%s:", files[i].name);
		for (j = 0; j < ARRAY_SIZE(answers); j++) {
			printf(" %u x %s", given[i][j], strerror(answers[j]));
			right &= given[i][j] || answers[j] == files[i].never;
		}
		putchar('\n');
	}
	return !right;
}
