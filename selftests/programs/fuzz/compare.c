// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Reads the files of the module, compares them with the model, and prints the differences.
 */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "compare.h"
#include "fuzz.h"
#include "model.h"

int status_fd;
int mismatches;

void read_file(int fd, const char *name, char *seen)
{
	ssize_t len = pread(fd, seen, READ_MAX - 1, 0);

	if (len < 0)
		err(1, "%s", name);
	seen[len] = '\0';
}

/* Cut the line that begins with @key out of a text. Return: what follows @key in the line. */
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

/* The contents that the model expects: the whole file, or the first line of trace_latency. */
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

void begin_mismatch(int file, const struct text *text)
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

bool compare_file(int file, const struct text *text, int what)
{
	char expected[READ_MAX], seen[READ_MAX];
	char *end;

	show_file(what, expected);
	read_file(files[what].fd, files[what].name, seen);
	/* The model knows one line; trace_latency has more. */
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

bool compare_all(int file, const struct text *text)
{
	bool same = compare_status(file, text);
	int what;

	for (what = 0; what < NR_FILES; what++)
		same &= compare_file(file, text, what);
	return same;
}

bool adopt_cpus(void)
{
	char seen[READ_MAX];
	bool wide = false;

	read_file(files[CPUS].fd, files[CPUS].name, seen);
	return !model_list(seen, seen + strlen(seen), now.cpus, &wide) && !wide;
}

void adopt(void)
{
	char seen[READ_MAX];
	char *value;

	read_file(status_fd, "status", seen);
	value = cut_line(seen, "enabled: ");
	now.enabled = value && !strcmp(value, "1");

	read_file(status_fd, "status", seen);
	value = cut_line(seen, "sampling_period: ");
	if (!value || model_duration(value, value + strlen(value), &now.period_ns))
		errx(1, "status has no valid sampling_period");

	read_file(status_fd, "status", seen);
	value = cut_line(seen, "threshold: ");
	if (!value || model_duration(value, value + strlen(value), &now.threshold_ns))
		errx(1, "status has no valid threshold");

	if (!adopt_cpus())
		errx(1, "cpus has no valid list of CPUs");
}
