// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * fuzz SEED COUNT: writes COUNT random texts to the writable files of /proc/trace_irqoff. A write
 * that is refused must change nothing, and its errno must be one that Documentation/files.md lists
 * for the file. A write that is accepted must change no other setting, except that a longer period
 * may raise the threshold; and the text must mean what the file shows, as far as is_meant() knows.
 * The end of a session must restore all settings. Each file must give all of its answers. A SEED
 * repeats the texts. Exit status: 1: a wrong answer.
 */
#define _GNU_SOURCE
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
#define ARRAY_SIZE(a)	((int)(sizeof(a) / sizeof(*(a))))

enum {
	ENABLE, NOSCHED, CPUS, PERIOD, THRESHOLD, NR_SETTINGS, RECORDS = NR_SETTINGS, SESSION,
	NR_FILES
};

static const int answers[] = { 0, EINVAL, E2BIG, ERANGE, EBUSY };

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

/* The first line of each file that shows a setting. */
struct state {
	char shows[NR_SETTINGS][64];
};

static int fds[NR_FILES];
static unsigned int given[NR_FILES][ARRAY_SIZE(answers)];
static struct state before_session;
static unsigned long long random_state;

static unsigned int draw(unsigned int below)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return (unsigned int)((random_state * 0x2545f4914f6cdd1dULL) >> 33) % below;
}

static struct state read_all(void)
{
	struct state state = {};
	char line[sizeof(*state.shows)];
	int i;

	for (i = 0; i < NR_SETTINGS; i++) {
		memset(line, 0, sizeof(line));
		if (pread(fds[i], line, sizeof(line) - 1, 0) < 0)
			err(2, "cannot read %s", files[i].name);
		memcpy(state.shows[i], line, strcspn(line, "\n"));
	}
	return state;
}

/* Return: false if @text, which was accepted, does not mean what its file shows. */
static bool is_meant(int file, const char *text, const char *shown)
{
	size_t digits = strspn(text, "0123456789");

	if (file == ENABLE || file == NOSCHED)
		return !strcmp(shown, strchr("1yYtT", *text) || !strncasecmp(text, "on", 2) ?
			       "enabled" : "disabled");
	/* A number that the file shows in another way is left to settings.sh. */
	if (*text < '1' || *text > '9' || strcmp(text + digits, file == CPUS ? "" : "ms"))
		return true;
	return !strcmp(strchr(shown, ' ') ? strchr(shown, ' ') + 1 : shown, text);
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

/* Return: whether a write may change a setting. */
static bool may_change(int setting, int file, const char *text)
{
	if (file == SESSION)
		return strstr(text, files[setting].name_in_session) ||
		       (setting == THRESHOLD && strstr(text, files[PERIOD].name_in_session));
	return setting == file || (setting == THRESHOLD && file == PERIOD);
}

/* Return: whether the answer to a random text is right. */
static bool try_text(int file)
{
	struct state before = read_all(), after;
	static char text[TEXT_MAX];
	size_t length = make_text(text, file);
	bool right;
	char *value;
	int i = 0, j, error = write(fds[file], text, length) < 0 ? errno : 0;

	after = read_all();
	while (i < ARRAY_SIZE(answers) && answers[i] != error)
		i++;
	right = i < ARRAY_SIZE(answers) && error != files[file].never;
	right &= error || strlen(text) == length;	/* a NUL must not hide what follows it */
	given[file][right ? i : 0]++;
	for (j = 0; j < NR_SETTINGS; j++)
		right &= (!error && may_change(j, file, text)) ||
			 !strcmp(before.shows[j], after.shows[j]);
	value = text + strspn(text, SPACE);
	value[strcspn(value, "\n")] = '\0';
	if (!error && file < NR_SETTINGS)
		right &= is_meant(file, value, after.shows[file]);
	if (!right)
		printf("%s: wrong answer to '%.200s': %s\n", files[file].name, text,
		       strerror(error));
	return right;
}

/* The end of a session restores the settings. Return: false if it does not. */
static bool toggle_session(void)
{
	struct state after;

	if (fds[SESSION] < 0) {
		before_session = read_all();
		fds[SESSION] = open("/proc/trace_irqoff/session", O_WRONLY);
		return fds[SESSION] >= 0;
	}
	close(fds[SESSION]);
	fds[SESSION] = -1;
	after = read_all();
	return !memcmp(&before_session, &after, sizeof(after));
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

	for (; right && left; left--) {
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
