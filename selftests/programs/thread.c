// SPDX-License-Identifier: GPL-2.0
/*
 * thread FILE TEXT: writes it there, from a thread that is not the first one of its process.
 * Prints process and thread: "tgid pid".
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *put(void *arguments)
{
	char **argv = arguments;
	int fd = open(argv[1], O_WRONLY);

	if (fd < 0 || write(fd, argv[2], strlen(argv[2])) < 0) {
		perror(argv[1]);
		return NULL;
	}
	printf("%d %ld\n", getpid(), syscall(SYS_gettid));
	return argv;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	void *done = NULL;

	if (argc != 3) {
		fprintf(stderr, "usage: thread FILE TEXT\n");
		return 2;
	}
	if (pthread_create(&thread, NULL, put, argv) || pthread_join(thread, &done))
		perror("pthread");
	return done ? 0 : 1;
}
