// SPDX-License-Identifier: GPL-2.0
/*
 * hammer SEED SECONDS: all at the same time, processes write to all files of
 * /proc/trace_irqoff, read and poll them, open sessions, switch trace events on and off, and make
 * windows. A file that does not exist is no error: the module may be reloaded meanwhile. A SEED
 * repeats the random numbers, but not the order in which the processes run. Exit status: 1 if a
 * record was wrong, or too little was done.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
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
	{ "handlers", { "1", "0", "1", "1", "0", "0", "2", "x" } },
	{ .name = "distribute" }, { .name = "histogram" }, { .name = "status" },
	{ .name = "active" },
};

/* How much must be done when hammer ends. KCSAN makes all of it slow. */
static const struct {
	const char *name;
	unsigned int at_least;
} demands[NR_COUNTS] = {
	[READS] = { "reads", 50 },
	[LINES] = { "lines", 50 },		/* of records */
	[MARKED] = { "marked", 5 },		/* lines with the name of a maker */
	[WRITES] = { "writes", 50 },		/* accepted */
	[REFUSED] = { "refused", 5 },
	[SESSIONS] = { "sessions", 1 },
	[POLLS] = { "polls", 2 },
	[NEWS] = { "news", 1 },
	[SWITCHES] = { "switches", 1 },		/* of trace events */
	[WRONG] = { "wrong", 0 },
};

unsigned int process_number;
static unsigned int *counts;	/* shared by all processes */

unsigned int draw(unsigned int below)
{
	return random() % below;
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

/* A file with news is read to its end. Either descriptor is closed first. */
static void poll_once(int fd)
{
	struct epoll_event event = { .events = EPOLLPRI };
	int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	bool epoll_first = draw(2);
	static char buffer[READ_MAX];

	epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event);
	if (epoll_wait(epoll_fd, &event, 1, draw(50)) > 0 && draw(8)) {
		while (read(fd, buffer, sizeof(buffer)) > 0)
			;
		count_one(NEWS);
	}
	count_one(POLLS);
	close(epoll_first ? epoll_fd : fd);
	close(epoll_first ? fd : epoll_fd);
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
	return draw(4) ? ((off_t)1 << draw(63)) + draw(64) : INT64_MAX - draw(READ_MAX);
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

/* A file stays open for long, also while the module is unloaded and loaded again. */
static void read_forever(void)
{
	int fd = -1;

	for (;;) {
		if (draw(2)) {
			read_records();
			continue;
		}
		if (fd < 0 || !draw(4)) {
			close(fd);
			fd = open_file(files[draw(ARRAY_SIZE(files))].name, O_RDONLY);
		}
		if (fd < 0)
			usleep(1000);
		else
			read_pieces(fd);
	}
}

/* What each process does. */
#define NR_MAKERS	4
static void (*const work_forever[])(void) = {
	[0 ... 3] = make_windows,
	[4 ... 11] = read_forever,
	[12 ... 17] = write_forever,
	[18 ... 19] = poll_forever,
	[20] = switch_events_forever,
};

static pid_t pids[ARRAY_SIZE(work_forever)];

static void start_process(unsigned int number)
{
	unsigned int seed = random();

	pids[number] = fork();
	if (pids[number] < 0)
		err(1, "fork");
	if (pids[number])
		return;
	process_number = number;
	srandom(seed);
	work_forever[number]();
}

static void kill_process(unsigned int number)
{
	kill(pids[number], SIGKILL);
	waitpid(pids[number], NULL, 0);
}

/* Return: whether all that is demanded was done. */
static bool is_done(void)
{
	int i;

	for (i = 0; i < NR_COUNTS; i++)
		if (counts[i] < demands[i].at_least)
			return false;
	return true;
}

int main(int argc, char **argv)
{
	unsigned int i;
	time_t until;

	if (argc != 3)
		errx(2, "usage: hammer SEED SECONDS");
	srandom(atoi(argv[1]));
	until = time(NULL) + atoi(argv[2]);
	counts = mmap(NULL, NR_COUNTS * sizeof(*counts), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counts == MAP_FAILED)
		err(1, "mmap");

	for (i = 0; i < ARRAY_SIZE(work_forever); i++)
		start_process(i);
	/* A busy host takes longer. */
	while (time(NULL) < until || (!is_done() && time(NULL) < until + PATIENCE_S)) {
		pause_up_to_ms(200);
		/*
		 * Makers must stay, for their names; and the last process: on debug, to switch
		 * events takes longer than the others live.
		 */
		i = NR_MAKERS + draw(ARRAY_SIZE(work_forever) - NR_MAKERS - 1);
		kill_process(i);
		start_process(i);
	}
	for (i = 0; i < ARRAY_SIZE(work_forever); i++)
		kill_process(i);
	switch_events("0");

	for (i = 0; i < NR_COUNTS; i++)
		printf("%s=%u ", demands[i].name, counts[i]);
	puts(is_done() ? "" : "too few");
	return counts[WRONG] || !is_done();
}
