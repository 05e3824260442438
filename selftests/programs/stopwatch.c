// SPDX-License-Identifier: GPL-2.0
/*
 * stopwatch LAPS WORK: does work of a known size LAPS times, and prints for each lap when
 * it began and when it was done, in ns of CLOCK_MONOTONIC. WORK is one of
 *
 *	spin N			N turns of a loop in user space
 *	write FILE TEXT		one write of TEXT
 *	read FILE		reads it from its beginning to its end
 *
 * A lap begins shortly after a whole multiple of 40 ms, which is one of 10 ms and of the
 * kernel's own tick as well. So all that is done at fixed times, like ticks, comes at the
 * same moments of each lap. Where the clock counts instructions, laps then differ
 * only in what the kernel does now and then.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS	1000000000LL
#define GRID_NS		40000000LL
#define AFTER_NS	200000LL	/* what was due then is over */

#define MAX_LAPS	1000

#define READ_SIZE	65536

static int spin(char **argv)
{
	unsigned long turns = strtoul(argv[0], NULL, 0);

	while (turns--)
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

static const struct work *find(int argc, char **argv)
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

static void wait_for_grid(void)
{
	long long at_ns = (now_ns() / GRID_NS + 1) * GRID_NS + AFTER_NS;
	struct timespec at = {
		.tv_sec = at_ns / SECOND_NS,
		.tv_nsec = at_ns % SECOND_NS,
	};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

int main(int argc, char **argv)
{
	static struct {
		long long begin_ns;
		long long end_ns;
	} laps[MAX_LAPS];
	const struct work *work = find(argc - 2, argv + 2);
	int nr = work ? atoi(argv[1]) : 0;
	int i;

	if (nr < 1 || nr > MAX_LAPS) {
		fprintf(stderr,
			"usage: stopwatch LAPS spin N | write FILE TEXT | read FILE\n");
		return 2;
	}

	for (i = 0; i < nr; i++) {
		wait_for_grid();
		laps[i].begin_ns = now_ns();
		if (work->run(argv + 3)) {
			perror(argv[3]);
			return 1;
		}
		laps[i].end_ns = now_ns();
	}

	for (i = 0; i < nr; i++)
		printf("%lld %lld\n", laps[i].begin_ns, laps[i].end_ns);
	return 0;
}
