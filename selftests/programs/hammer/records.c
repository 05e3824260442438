// SPDX-License-Identifier: GPL-2.0
/*
 * Makes windows whose records can be checked, and checks the records: each line is whole, lines are
 * in order, and no record is a mix of two.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "hammer.h"

#define INJECT		"/proc/irqoff_inject"
#define LINE_MAX_READ	65536	/* bytes */
#define WINDOW_US	3100

/* Kinds of windows. A window of KIND has the function inject_KIND in its stacks. */
static const char *const kinds[] = { "hardirq", "spinlock", "bh" };

/*
 * The makers alternate in kind and CPU, and have the first letter of the kind, the CPU and their
 * pid in their names: "h1.4711" keeps interrupts off on CPU 1. A record that does not agree with
 * the name in it is a mix of two.
 */
void make_windows(void)
{
	const char *kind = kinds[process_number % ARRAY_SIZE(kinds)];
	/* hammer.sh takes other CPUs offline. */
	unsigned int cpu = process_number % 2;
	char name[16], line[64];
	cpu_set_t cpus;
	int fd;

	/* Take the name only after moving: it has the CPU. */
	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	snprintf(name, sizeof(name), "%c%u.%d", kind[0], cpu, getpid());
	prctl(PR_SET_NAME, name);

	snprintf(line, sizeof(line), "%s %u %u", kind, WINDOW_US, cpu);
	for (;;) {
		fd = open(INJECT, O_WRONLY | O_CLOEXEC);
		if (fd < 0 || write(fd, line, strlen(line)) < 0)
			usleep(1000);
		close(fd);
		/* Leave time for the others. */
		pause_up_to_ms(20);
	}
}

/* Return: whether fields of a record of @cpu come from another record. */
static bool is_mixed(const char *line, unsigned int cpu)
{
	const char *comm = strstr(line, " comm=");
	int pid, tgid, named_pid;
	unsigned int named_cpu;
	bool marked = false;
	char letter, function[32];
	const char *stack, *found;
	size_t i;

	if (comm && sscanf(comm, " comm=%c%u.%d pid=%d tgid=%d", &letter, &named_cpu, &named_pid,
			   &pid, &tgid) == 5 && strchr("hsb", letter)) {
		count_one(MARKED);
		marked = true;
		if (pid != named_pid || tgid != pid || cpu != named_cpu)
			return true;
	}

	/* The stack of @comm: the end of a hardirq window, the first sample of another window. */
	stack = strstr(line, strstr(line, " kind=hardirq ") ? " stack=" : " sample=");
	if (!stack)
		return false;
	/* Only makers are in these functions, each in the function of its kind. */
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		snprintf(function, sizeof(function), "inject_%s[", kinds[i]);
		found = strstr(stack, function);
		if (found && found < stack + 1 + strcspn(stack + 1, " ") &&
		    !(marked && letter == kinds[i][0]))
			return true;
	}
	return false;
}

/* Return: the number of the record; @last if the line is wrong. */
static unsigned long long check_line(const char *line, unsigned long long last)
{
	unsigned long long number;
	unsigned int cpu;
	int length = 0;

	count_one(LINES);
	if (sscanf(line, "seq=%llu kind=%*1[hsn]%*[a-z] cpu=%u end=%n", &number, &cpu,
		   &length) == 2 && length && strstr(line, " stack=") && number > last &&
	    !is_mixed(line, cpu))
		return number;
	count_one(WRONG);
	printf("after record %llu: %.1000s\n", last, line);
	fflush(stdout);
	return last;
}

/* Read the file from the beginning, in small pieces: its lines must be whole and in order. */
void read_records(void)
{
	static char line[LINE_MAX_READ];
	unsigned long long last = 0;
	char buffer[8192];
	size_t length = 0;
	ssize_t n, i;
	int fd = open_file("records", O_RDONLY);

	while (fd >= 0 && (n = read(fd, buffer, 1 + draw(sizeof(buffer)))) > 0) {
		count_one(READS);
		for (i = 0; i < n; i++) {
			if (buffer[i] == '\n') {
				line[length] = '\0';
				length = 0;
				last = check_line(line, last);
			} else if (length < sizeof(line) - 1) {
				line[length++] = buffer[i];
			}
		}
	}
	/* An unload may cut off the last line. */
	close(fd);
}
