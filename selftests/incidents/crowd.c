// SPDX-License-Identifier: GPL-2.0
/*
 * crowd WHAT N [ARGUMENT]...: make N objects of one kind, print "ready PID", and wait. Incidents
 * need, for example, 20,000 threads, timers or sockets, and no tool of Debian makes that many.
 * Without arguments, crowd prints a list of each WHAT. Where the list says "USR1", crowd does the
 * harmful thing when it gets SIGUSR1, which a script sends while it traces.
 * Exit status: 1 if the kernel refuses something, 2 for wrong arguments.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <linux/aio_abi.h>
#include <linux/if_ether.h>
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
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FILES_MAX	1000000
#define STACK_BYTES	16384
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

static char **args;	/* the arguments after N, and a NULL */

static void say_ready(void)
{
	printf("ready %d\n", getpid());
	fflush(stdout);
}

/* SIGUSR1 and SIGRTMIN are blocked in all threads. */
static void await_usr1(void)
{
	sigset_t set;
	int signal;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	say_ready();
	sigwait(&set, &signal);
}

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
	say_ready();
	/* Readers of the process's times take a lock only if threads exit meanwhile. */
	while (args[0]) {
		if (!pthread_create(&thread, &attr, return_at_once, NULL))
			pthread_join(thread, NULL);
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
	when.it_value.tv_sec += atol(args[0]) / 1000;
	when.it_value.tv_nsec = 0;
	for (i = 0; i < n; i++) {
		if (timer_settime(timer[i], TIMER_ABSTIME, &when, NULL))
			err(1, "timer_settime %ld", i);
	}
	say_ready();
}

static void make_herd(long n)
{
	struct epoll_event event = { .events = EPOLLIN };
	int fd = eventfd(0, EFD_NONBLOCK), epoll;
	unsigned long long count = 1;

	while (n--) {
		epoll = epoll_create1(0);
		if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event))
			err(1, "epoll, %ld to go", n);
	}
	for (;;) {
		await_usr1();
		if (write(fd, &count, sizeof(count)) < 0 || read(fd, &count, sizeof(count)) < 0)
			err(1, "eventfd");
	}
}

/* The kernel allocates the messages in order. One message in KEEP stays: about one in each slab. */
static void make_slab(long n)
{
	struct { long type; char text[208]; } message = { .type = 1 };
	long keep = atol(args[0]), i;
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
	say_ready();
}

/* The kernel enables all events at once only when the task calls exec(). */
static void make_perf(long n)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_DUMMY,
		.disabled = 1, .enable_on_exec = 1,
	};

	while (n--) {
		if (syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) < 0)
			err(1, "perf_event_open, %ld to go", n);
	}
	say_ready();
	execvp(args[0], args);
	err(1, "%s", args[0]);
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
	await_usr1();
	syscall(SYS_io_destroy, context);
}

static void make_taps(long n)
{
	while (n--) {
		if (socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_ALL)) < 0)
			err(1, "packet socket, %ld to go", n);
	}
	say_ready();
}

static const struct {
	const char *name;
	int nr_args;	/* including N */
	/* Make the objects, and print "ready". Exits if the kernel refuses something. */
	void (*make)(long n);
	const char *help;	/* its arguments, and what it makes */
} kinds[] = {
	{ "aio", 1, make_aio, "N: N polls by aio of one eventfd; USR1 cancels them" },
	{ "herd", 1, make_herd, "N: N epoll instances on an eventfd; USR1 writes to it" },
	{ "perf", 2, make_perf, "N COMMAND...: run the command with N perf events" },
	{ "slab", 2, make_slab, "N KEEP: N messages of 256 bytes; one in KEEP stays" },
	{ "taps", 1, make_taps, "N: N packet sockets that see all packets" },
	{ "threads", 1, make_threads, "N [churn]: N threads; churn: one more comes and goes" },
	{ "timers", 2, make_timers, "N MS: N POSIX timers on this CPU that all expire in MS" },
};

/* Threads inherit the mask: the kernel queues the signals and wakes no thread. */
static void block_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static void raise_limit(int which, rlim_t to)
{
	struct rlimit limit = { to, to };

	if (setrlimit(which, &limit))
		warn("setrlimit %d to %lu", which, (unsigned long)to);
}

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (argc < 2 + kinds[i].nr_args || strcmp(argv[1], kinds[i].name))
			continue;
		block_signals();
		raise_limit(RLIMIT_NOFILE, FILES_MAX);
		raise_limit(RLIMIT_NPROC, RLIM_INFINITY);
		raise_limit(RLIMIT_SIGPENDING, RLIM_INFINITY);
		args = argv + 3;
		kinds[i].make(atol(argv[2]));
		for (;;)
			pause();
	}
	fprintf(stderr, "usage: crowd WHAT N [ARGUMENT]...\n");
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		fprintf(stderr, "  %s %s\n", kinds[i].name, kinds[i].help);
	return 2;
}
