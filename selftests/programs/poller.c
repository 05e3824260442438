// SPDX-License-Identifier: GPL-2.0
/*
 * poller poll|epoll FILE TIMES: read FILE to its end, print "waiting", and then TIMES times: wait
 * until FILE has news (POLLPRI), and print "news" and what a read returns. A file that cannot be
 * read on is read from its beginning. Exit status: 1: FILE had news too early, or not within a
 * minute, or none before its end was read; 2: poller itself failed.
 */
#include <err.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#define PATIENCE_MS	60000

static int file_fd, epoll_fd = -1;

static bool has_news_within(int ms)
{
	struct epoll_event event = { .events = EPOLLPRI };
	struct pollfd pollfd = { .fd = file_fd, .events = POLLPRI };
	int ret = epoll_fd >= 0 ? epoll_wait(epoll_fd, &event, 1, ms) : poll(&pollfd, 1, ms);

	if (ret < 0)
		err(2, "cannot wait");
	return ret;
}

/* Return: the number of bytes. */
static size_t print_rest(bool quietly)
{
	char text[65536];
	size_t all = 0;
	ssize_t bytes;

	while ((bytes = read(file_fd, text, sizeof(text))) > 0) {
		all += bytes;
		if (!quietly)
			fwrite(text, 1, bytes, stdout);
	}
	if (bytes < 0)
		err(2, "cannot read");
	return all;
}

int main(int argc, char **argv)
{
	struct epoll_event event = { .events = EPOLLPRI };
	char byte;
	int times;

	if (argc != 4)
		errx(2, "usage: poller poll|epoll FILE TIMES");
	file_fd = open(argv[2], O_RDONLY);
	if (file_fd < 0)
		err(2, "%s", argv[2]);
	if (!strcmp(argv[1], "epoll")) {
		epoll_fd = epoll_create1(0);
		if (epoll_fd < 0 || epoll_ctl(epoll_fd, EPOLL_CTL_ADD, file_fd, &event))
			err(2, "epoll");
	}
	setlinebuf(stdout);

	if (read(file_fd, &byte, 1) == 1 && !has_news_within(0))
		errx(1, "no news in the middle of the file");
	print_rest(true);
	if (has_news_within(0))
		errx(1, "news too early");
	puts("waiting");
	for (times = atoi(argv[3]); times; times--) {
		if (!has_news_within(PATIENCE_MS))
			errx(1, "no news within a minute");
		puts("news");
		if (!print_rest(false)) {
			lseek(file_fd, 0, SEEK_SET);
			print_rest(false);
		}
	}
	return 0;
}
