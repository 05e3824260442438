// SPDX-License-Identifier: GPL-2.0
/*
 * follow poll|select|epoll on|again SECONDS FILE: reads the file to its end, and then sleeps until
 * there is something new, for so long. "on": then reads on from where it was; "again": from the
 * beginning. Prints what it reads, a line "-- SECONDS.MS" with the time since boot before each
 * piece, and "wakeups=N empty=N" at the end: so often it was woken, and so often for nothing.
 *
 * Exits with 2 when the file is not there any more.
 */
#include <err.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static long long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Return: how many bytes were read. */
static size_t read_all(int fd)
{
	static char buf[1 << 16];
	size_t total = 0;
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		if (!total)
			printf("-- %lld.%03lld\n", now_ms() / 1000, now_ms() % 1000);
		fwrite(buf, 1, n, stdout);
		total += n;
	}
	if (n < 0)
		err(2, "read");
	fflush(stdout);
	return total;
}

/* Return: whether there is something new, and not the end of the time. */
static int wait_for(int fd, int epoll, const char *how, int ms)
{
	struct epoll_event event;
	int n;

	if (!strcmp(how, "poll")) {
		struct pollfd p = { .fd = fd, .events = POLLIN };

		n = poll(&p, 1, ms);
		if (n > 0 && p.revents & (POLLERR | POLLHUP))
			errx(2, "gone");
	} else if (!strcmp(how, "select")) {
		struct timeval left = { ms / 1000, ms % 1000 * 1000 };
		fd_set set;

		FD_ZERO(&set);
		FD_SET(fd, &set);
		n = select(fd + 1, &set, NULL, NULL, &left);
	} else {
		n = epoll_wait(epoll, &event, 1, ms);
		if (n > 0 && event.events & (EPOLLERR | EPOLLHUP))
			errx(2, "gone");
	}
	if (n < 0)
		err(1, "%s", how);
	return n;
}

int main(int argc, char **argv)
{
	struct epoll_event event = { .events = EPOLLIN };
	unsigned int wakeups = 0, empty = 0;
	int fd, epoll, again;
	long long end, left;

	if (argc != 5)
		errx(1, "usage: follow poll|select|epoll on|again SECONDS FILE");
	again = !strcmp(argv[2], "again");
	fd = open(argv[4], O_RDONLY);
	epoll = epoll_create1(0);
	if (fd < 0 || epoll < 0)
		err(1, "%s", argv[4]);
	if (!strcmp(argv[1], "epoll") && epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event))
		err(1, "epoll_ctl");

	end = now_ms() + atof(argv[3]) * 1000;
	read_all(fd);
	while ((left = end - now_ms()) > 0 && wait_for(fd, epoll, argv[1], left) > 0) {
		wakeups++;
		if (again && lseek(fd, 0, SEEK_SET) < 0)
			err(1, "lseek");
		if (!read_all(fd))
			empty++;
	}
	printf("wakeups=%u empty=%u\n", wakeups, empty);
	return 0;
}
