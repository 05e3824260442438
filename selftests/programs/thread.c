// SPDX-License-Identifier: GPL-2.0
/*
 * thread FILE TEXT: write a text to a file in the second thread of a process. Prints the ids of the
 * process and of the thread, as "tgid pid".
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *write_text(void *arguments)
{
	char **argv = arguments;
	int fd = open(argv[1], O_WRONLY);

	if (fd < 0 || write(fd, argv[2], strlen(argv[2])) < 0)
		err(1, "%s", argv[1]);
	printf("%d %ld\n", getpid(), syscall(SYS_gettid));
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc != 3)
		errx(2, "usage: thread FILE TEXT");
	if (pthread_create(&thread, NULL, write_text, argv) || pthread_join(thread, NULL))
		errx(1, "cannot start a thread");
	return 0;
}
