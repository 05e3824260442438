// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * fuzz SEED COUNT: writes COUNT random texts to each writable file of /proc/trace_irqoff, and
 * compares each answer with a model: the text is accepted, or refused with an error, and the files
 * read as the model expects afterwards. A SEED makes the same texts on each machine with the same
 * number of CPUs.
 *
 * Prints the differences, and a line for each file at the end. Exits with 0 if there was no
 * difference, and each file gave all answers that it can give.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compare.h"
#include "fuzz.h"
#include "model.h"
#include "texts.h"

#define DIRECTORY	"/proc/trace_irqoff/"
#define SYSFS_CPUS	"/sys/devices/system/cpu/"

#define TOGGLE_EVERY	50			/* writes, on average */
#define COMPARE_ALL	64			/* writes between two comparisons of all files */
#define MISMATCHES_MAX	10
#define COVERED_FROM	1000			/* writes to a file that give all its answers */

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

struct file files[NR_FILES] = {
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

unsigned long nr_writes;

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

/* Return: whether the module answered as the model expects. */
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

/* Return: whether the file gave all answers that it can give. */
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

	/* Without high resolution timers, the shortest period is two ticks. */
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
		printf("a file did not give all answers that it can give\n");
		return 1;
	}
	return 0;
}
