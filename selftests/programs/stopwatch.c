// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * stopwatch LAPS WORK: do the same work LAPS times. Prints begin and end of each lap in ns of
 * CLOCK_MONOTONIC. WORK is one of:
 *
 *	spin N			a loop in user space of N iterations
 *	write FILE TEXT		one write
 *	read FILE		read the whole file
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS	1000000000LL
#define GRID_NS		40000000LL
#define AFTER_NS	200000LL	/* until the periodic work of that moment is done */
#define LAPS_MAX	1000
#define READ_SIZE	65536

static int spin(char **argv)
{
	unsigned long iterations = strtoul(argv[0], NULL, 0);

	while (iterations--)
		__asm__ volatile("");
	return 0;
}

static int write_once(char **argv)
{
	ssize_t length = strlen(argv[1]);
	int fd = open(argv[0], O_WRONLY);

	if (fd < 0 || write(fd, argv[1], length) != length)
		return -1;
	return close(fd);
}

static int read_all(char **argv)
{
	static char buffer[READ_SIZE];
	int fd = open(argv[0], O_RDONLY);
	ssize_t length;

	if (fd < 0)
		return -1;
	do
		length = read(fd, buffer, sizeof(buffer));
	while (length > 0);
	return length < 0 ? -1 : close(fd);
}

static const struct work {
	const char *name;
	int argc;
	int (*run)(char **argv);
} works[] = {
	{ "spin", 1, spin },
	{ "write", 2, write_once },
	{ "read", 1, read_all },
	{ NULL, 0, NULL },
};

static const struct work *find_work(int argc, char **argv)
{
	const struct work *work;

	for (work = works; argc > 0 && work->name; work++)
		if (!strcmp(argv[0], work->name) && argc == 1 + work->argc)
			return work;
	return NULL;
}

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SECOND_NS + now.tv_nsec;
}

/*
 * Wait until shortly after a multiple of 40 ms, which is a multiple of 10 ms and of the scheduler's
 * tick: then periodic work comes at the same times in each lap. If the clock counts instructions,
 * laps differ only by work that the kernel does from time to time.
 */
static void wait_for_grid(void)
{
	long long at_ns = (now_ns() / GRID_NS + 1) * GRID_NS + AFTER_NS;
	struct timespec at = { .tv_sec = at_ns / SECOND_NS, .tv_nsec = at_ns % SECOND_NS };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

int main(int argc, char **argv)
{
	static long long begin_ns[LAPS_MAX], end_ns[LAPS_MAX];
	const struct work *work = find_work(argc - 2, argv + 2);
	int nr = work ? atoi(argv[1]) : 0;
	int i;

	if (nr < 1 || nr > LAPS_MAX)
		errx(2, "usage: stopwatch LAPS spin N | write FILE TEXT | read FILE");

	for (i = 0; i < nr; i++) {
		wait_for_grid();
		begin_ns[i] = now_ns();
		if (work->run(argv + 3))
			err(1, "%s", argv[3]);
		end_ns[i] = now_ns();
	}

	for (i = 0; i < nr; i++)
		printf("%lld %lld\n", begin_ns[i], end_ns[i]);
	return 0;
}
