// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * hammer SEED SECONDS [records|slow]: all at the same time, processes write to all files of
 * /proc/trace_irqoff, read and poll them, open sessions, switch trace events on and off, and make
 * windows. With "records", processes only read that file and make windows; with "slow", as under
 * KCSAN, a tenth of the work is enough. A file that does not exist is no error: the module may be
 * reloaded meanwhile. A SEED repeats the random numbers, but not the order in which the processes
 * run. Exit status: 1 if a record was wrong, or less was done than enum count demands.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hammer.h"

#define DIRECTORY	"/proc/trace_irqoff/"
#define EVENTS		"/sys/kernel/tracing/events/trace_irqoff/enable"
#define NR_READERS	8
#define NR_MAKERS	4
#define NR_HELD		4	/* files that a reader keeps open */
#define READ_MAX	70000	/* bytes */
#define PATIENCE_S	60

/* Files with texts can be written. Most texts let windows be recorded: there must be records. */
static const struct {
	const char *name;
	const char *texts[8];
} files[] = {
	{ "enable", { "1", "1", "on", "y", "1", "1", "0", "maybe" } },
	{ "sampling_period", { "1ms", "500us", "1", "1ms", "500us", "1ms", "0", "x" } },
	{ "trace_latency", { "2ms", "3ms", "2500us", "2", "2ms", "3ms", "0", "-1" } },
	{ "cpus", { "0-1", "0,1", "0-3", "0-3", "0", "1", "0-4095", "x" } },
	{ "nosched", { "1", "0", "on", "off", "1", "0", "2", "maybe" } },
	{ "records", { "0", "1", "10", "100", "1000", "10000", "-1", "9223372036854775807" } },
	{ "session", { "enable=1 threshold=2ms", "sampling_period=500us threshold=3ms",
	  "nosched=0", "enable=1 nosched=1", "cpus=0-1", "sampling_period=1ms", "enable=0", "x" } },
	{ .name = "distribute" }, { .name = "histogram" }, { .name = "status" },
	{ .name = "active" }, { .name = "handlers" },
};

/* How much must be done when hammer ends. */
static const struct {
	const char *name;
	unsigned int at_least;
	unsigned int of_records;	/* the same with "records": makers leave little time */
} demands[NR_COUNTS] = {
	[READS] = { "reads", 500, 1 },
	[LINES] = { "lines", 500, 1 },	/* of records */
	[MARKED] = { "marked", 50, 1 },	/* lines with the name of a maker */
	[WRITES] = { "writes", 500 },		/* accepted */
	[REFUSED] = { "refused", 50 },
	[SESSIONS] = { "sessions", 10 },
	[POLLS] = { "polls", 20 },
	[NEWS] = { "news", 5 },
	[SWITCHES] = { "switches", 2 },		/* of trace events */
	[WRONG] = { "wrong" },
};

bool only_records;
static bool is_slow;
unsigned int process_number;
static unsigned int *counts;	/* shared by all processes */
static unsigned long long random_state;

unsigned int draw(unsigned int below)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return (unsigned int)((random_state * 0x2545f4914f6cdd1dULL) >> 33) % below;
}

void count_one(enum count what)
{
	__atomic_fetch_add(&counts[what], 1, __ATOMIC_RELAXED);
}

void pause_up_to_ms(unsigned int ms)
{
	usleep(draw(1000 * ms));
}

int open_file(const char *name, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), DIRECTORY "%s", name);
	return open(path, flags | O_CLOEXEC);
}

/* Write some of the texts to an open file. */
static void write_some(int fd, unsigned int file)
{
	unsigned int left = 1 + draw(4);

	while (left--) {
		const char *text = files[file].texts[draw(ARRAY_SIZE(files[file].texts))];

		count_one(write(fd, text, strlen(text)) < 0 ? REFUSED : WRITES);
	}
}

/* A session is opened, which refuses all other writes, and held for a while. */
static void write_forever(void)
{
	for (;;) {
		unsigned int i = draw(ARRAY_SIZE(files));
		bool is_session = !strcmp(files[i].name, "session");
		int fd = files[i].texts[0] ? open_file(files[i].name, O_RDWR) : -1;

		if (fd >= 0) {
			write_some(fd, i);
			if (is_session) {
				pause_up_to_ms(4);
				write_some(fd, i);
				count_one(SESSIONS);
			}
			close(fd);
		}
		pause_up_to_ms(10);
	}
}

/* A file with news is read to its end. Either descriptor of an epoll set is closed first. */
static void poll_once(int fd)
{
	struct epoll_event event = { .events = EPOLLPRI };
	struct pollfd pollfd = { .fd = fd, .events = POLLPRI };
	int epoll_fd = draw(2) ? epoll_create1(EPOLL_CLOEXEC) : -1;
	static char buffer[READ_MAX];
	int news;

	if (epoll_fd >= 0)
		epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event);
	news = epoll_fd >= 0 ? epoll_wait(epoll_fd, &event, 1, draw(50)) :
			       poll(&pollfd, 1, draw(50));
	count_one(POLLS);
	if (news > 0 && draw(8)) {
		while (read(fd, buffer, sizeof(buffer)) > 0)
			;
		count_one(NEWS);
	}
	if (draw(2)) {
		close(epoll_fd);
		epoll_fd = -1;
	}
	close(fd);
	close(epoll_fd);
}

/* A file that was polled prevents an unload: no file is open during the pause. */
static void poll_forever(void)
{
	for (;;) {
		int fd = open_file(draw(2) ? "records" : "active", O_RDONLY);

		if (fd >= 0)
			poll_once(fd);
		pause_up_to_ms(50);
	}
}

static bool switch_events(const char *text)
{
	int fd = open(EVENTS, O_WRONLY | O_CLOEXEC);
	bool switched = fd >= 0 && write(fd, text, 1) == 1;

	close(fd);
	return switched;
}

/* Events that are on prevent an unload, too. */
static void switch_events_forever(void)
{
	for (;;) {
		if (switch_events("1"))
			pause_up_to_ms(50);
		if (switch_events("0"))
			count_one(SWITCHES);
		pause_up_to_ms(100);
	}
}

static off_t draw_offset(void)
{
	switch (draw(4)) {
	case 0:
		return draw(64);
	case 1:
		return draw(1 << 20);
	case 2:
		return (off_t)1 << draw(63);
	}
	return INT64_MAX - draw(READ_MAX);
}

/* Read in pieces of odd sizes, at odd offsets. */
static void read_pieces(int fd)
{
	static char buffer[READ_MAX];
	int left = 1 + draw(8);

	while (left--) {
		size_t size = 1 + draw(draw(2) ? 64 : READ_MAX);
		ssize_t n = 0;

		switch (draw(4)) {
		case 0:
			n = pread(fd, buffer, size, draw_offset());
			break;
		case 1:
			lseek(fd, draw_offset(), draw(3));
			break;
		default:
			n = read(fd, buffer, size);
		}
		count_one(READS);
		if (n < 0 && errno == ENODEV)
			return;
	}
}

/* Files stay open for long, also while the module is unloaded and loaded again. */
static void read_forever(void)
{
	int held[NR_HELD];
	int i;

	memset(held, -1, sizeof(held));
	for (;;) {
		if (only_records || draw(2)) {
			read_records();
			continue;
		}
		i = draw(NR_HELD);
		if (held[i] < 0 || !draw(4)) {
			close(held[i]);
			held[i] = open_file(files[draw(ARRAY_SIZE(files))].name, O_RDONLY);
		}
		if (held[i] < 0)
			usleep(1000);
		else
			read_pieces(held[i]);
	}
}

static void start_processes(pid_t *pids, unsigned int n, void (*work_forever)(void))
{
	for (process_number = 0; process_number < n; process_number++) {
		random_state += 0x9e3779b97f4a7c15ULL;
		pids[process_number] = fork();
		if (pids[process_number] < 0)
			err(1, "fork");
		if (!pids[process_number])
			work_forever();
	}
}

static void kill_processes(const pid_t *pids, unsigned int n)
{
	while (n--) {
		kill(pids[n], SIGKILL);
		waitpid(pids[n], NULL, 0);
	}
}

/* Return: whether all that is demanded was done. */
static bool is_done(void)
{
	bool done = true;
	int i;

	for (i = 0; i < NR_COUNTS; i++)
		done &= counts[i] >= (only_records ? demands[i].of_records :
				      demands[i].at_least / (is_slow ? 10 : 1));
	return done;
}

/* The processes; with "records", only the first two kinds. */
static const struct {
	unsigned int nr;
	void (*work_forever)(void);
} kinds[] = {
	{ NR_READERS, read_forever }, { NR_MAKERS, make_windows }, { 6, write_forever },
	{ 2, poll_forever }, { 1, switch_events_forever },
};

int main(int argc, char **argv)
{
	pid_t pids[ARRAY_SIZE(kinds)][NR_READERS];
	size_t nr_kinds, i;
	time_t until;

	only_records = argc == 4 && !strcmp(argv[3], "records");
	is_slow = argc == 4 && !strcmp(argv[3], "slow");
	if (argc != 3 + only_records + is_slow)
		errx(2, "usage: hammer SEED SECONDS [records|slow]");
	random_state = strtoull(argv[1], NULL, 10) + 1;
	until = time(NULL) + atoi(argv[2]);
	nr_kinds = only_records ? 2 : ARRAY_SIZE(kinds);
	counts = mmap(NULL, NR_COUNTS * sizeof(*counts), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counts == MAP_FAILED)
		err(1, "mmap");

	for (i = 0; i < nr_kinds; i++)
		start_processes(pids[i], kinds[i].nr, kinds[i].work_forever);
	/* A busy host takes longer. */
	while (time(NULL) < until || (!is_done() && time(NULL) < until + PATIENCE_S)) {
		/* Kill a process, and start another one. Makers must stay, for their names. */
		unsigned int kind = draw(nr_kinds), which = draw(kinds[kind].nr);

		pause_up_to_ms(200);
		if (kinds[kind].work_forever == make_windows)
			continue;
		kill_processes(&pids[kind][which], 1);
		start_processes(&pids[kind][which], 1, kinds[kind].work_forever);
	}
	for (i = 0; i < nr_kinds; i++)
		kill_processes(pids[i], kinds[i].nr);
	switch_events("0");

	for (i = 0; i < NR_COUNTS; i++)
		printf("%s=%u ", demands[i].name, counts[i]);
	puts(is_done() ? "" : "too few");
	return counts[WRONG] || !is_done();
}
