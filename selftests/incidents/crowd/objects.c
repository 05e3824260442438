// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Threads, timers, events, and requests that wait.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "crowd.h"

#define STACK_BYTES	16384

static void *sleep_forever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void *return_at_once(void *unused)
{
	return unused;
}

static void make_threads(long n)
{
	pthread_attr_t attr;
	pthread_t thread;
	int error;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	/* A guard page is one more mapping, and a process may have 65,530. */
	pthread_attr_setguardsize(&attr, 0);
	while (n--) {
		error = pthread_create(&thread, &attr, sleep_forever, NULL);
		if (error)
			errx(1, "%ld threads to go: %s", n, strerror(error));
	}
	crowd_say_ready();
	/* Readers of the process's times take a lock only if threads exit meanwhile. */
	while (crowd_args[0]) {
		if (!pthread_create(&thread, &attr, return_at_once, NULL))
			pthread_join(thread, NULL);
	}
}

static void read_stat(long pid)
{
	char path[64], text[4096];
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	crowd_say_ready();
	for (;;) {
		fd = open(path, O_RDONLY);
		if (fd < 0)
			exit(0);
		while (read(fd, text, sizeof(text)) > 0)
			;
		close(fd);
	}
}

static void make_timers(long n)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN };
	timer_t *timer = calloc(n, sizeof(*timer));
	struct itimerspec when = { 0 };
	long i;

	for (i = 0; i < n; i++) {
		if (timer_create(CLOCK_MONOTONIC, &event, timer + i))
			err(1, "timer_create %ld", i);
	}
	clock_gettime(CLOCK_MONOTONIC, &when.it_value);
	/* Whole seconds: the shell that starts crowd may use a part of the first second. */
	when.it_value.tv_sec += atol(crowd_args[0]) / 1000;
	when.it_value.tv_nsec = 0;
	for (i = 0; i < n; i++) {
		if (timer_settime(timer[i], TIMER_ABSTIME, &when, NULL))
			err(1, "timer_settime %ld", i);
	}
	crowd_say_ready();
}

void crowd_watch(long n, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };
	int epoll;

	while (n--) {
		epoll = epoll_create1(0);
		if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event))
			err(1, "epoll, %ld to go", n);
	}
}

static void make_herd(long n)
{
	int fd = eventfd(0, EFD_NONBLOCK);
	unsigned long long count = 1;

	crowd_watch(n, fd);
	for (;;) {
		crowd_await_usr1();
		if (write(fd, &count, sizeof(count)) < 0 || read(fd, &count, sizeof(count)) < 0)
			err(1, "eventfd");
	}
}

/* The kernel allocates the messages in order. One message in KEEP stays: about one in each slab. */
static void make_slab(long n)
{
	struct { long type; char text[208]; } message = { .type = 1 };
	long keep = atol(crowd_args[0]), i;
	struct msqid_ds ds;
	int queue[2];

	if (keep < 1)
		errx(2, "KEEP is at least 1");
	for (i = 0; i < 2; i++) {
		queue[i] = msgget(IPC_PRIVATE, 0600);
		if (queue[i] < 0 || msgctl(queue[i], IPC_STAT, &ds))
			err(1, "msgget");
		ds.msg_qbytes = 2000000000;
		if (msgctl(queue[i], IPC_SET, &ds))
			err(1, "msgctl: a larger kernel.msgmnb takes root");
	}
	for (i = 0; i < n; i++) {
		if (msgsnd(queue[i % keep ? 1 : 0], &message, sizeof(message.text), IPC_NOWAIT))
			err(1, "msgsnd %ld", i);
	}
	msgctl(queue[1], IPC_RMID, NULL);
	crowd_say_ready();
}

/* The kernel enables all events at once only if the task calls exec(). */
static void make_perf(long n)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_DUMMY,
		.disabled = 1, .enable_on_exec = 1,
	};
	char self[256] = "";

	while (n--) {
		if (syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) < 0)
			err(1, "perf_event_open, %ld to go", n);
	}
	/* Not /proc/self/exe: the task would be called "exe". */
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		err(1, "readlink");
	execl(self, "crowd", "nap", crowd_args[0], NULL);
	err(1, "%s", self);
}

static void nap(long ms)
{
	crowd_say_ready();
	for (;;)
		usleep(ms * 1000);
}

static void make_aio(long n)
{
	struct iocb request = { .aio_lio_opcode = IOCB_CMD_POLL, .aio_buf = POLLIN };
	struct iocb *requests = &request;
	aio_context_t context = 0;
	long i;

	request.aio_fildes = eventfd(0, 0);
	if (syscall(SYS_io_setup, n, &context))
		err(1, "io_setup: see fs.aio-max-nr");
	for (i = 0; i < n; i++) {
		if (syscall(SYS_io_submit, context, 1, &requests) != 1)
			err(1, "io_submit %ld", i);
	}
	crowd_await_usr1();
	syscall(SYS_io_destroy, context);
}

const struct crowd_what crowd_objects[] = {
	{ "aio", 1, make_aio, "N: N polls by aio of one eventfd; USR1 cancels them" },
	{ "herd", 1, make_herd, "N: N epoll instances on an eventfd; USR1 writes to it" },
	{ "nap", 1, nap, "MS: sleep MS, again and again" },
	{ "perf", 2, make_perf, "N MS: N perf events of a task that sleeps MS, again and again" },
	{ "slab", 2, make_slab, "N KEEP: N messages of 256 bytes; one in KEEP stays" },
	{ "stat", 1, read_stat, "PID: read /proc/PID/stat for ever" },
	{ "threads", 1, make_threads, "N [churn]: N threads; churn: one more comes and goes" },
	{ "timers", 2, make_timers, "N MS: N POSIX timers on this CPU that all expire in MS" },
	{ NULL, 0, NULL, NULL }
};
