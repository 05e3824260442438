// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (c) 2026 The trace_irqoff authors
 *
 * crowd WHAT N [ARGUMENT]...: make many of one thing, print "ready PID", and wait.
 *
 * The incidents in this directory need 20,000 threads, timers or sockets, and no tool of Debian
 * makes that many. Each WHAT is one function of this file; the table at its end says what the
 * arguments mean. A WHAT that is marked with "USR1" does the harmful thing when it gets that
 * signal, so a script can start tracing between the two.
 *
 * Exit status: 1 when the kernel refuses something, 2 for wrong arguments.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/if_ether.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define THREAD_STACK	16384			/* bytes */
#define HOARD_BYTES	(32 << 20)		/* the kernel doubles it */
#define FIRST_FLOW	0x7f010000		/* 127.1.0.0 */
#define RING_ENTRIES	4096
#define HOUR_S		3600

static void say_ready(void)
{
	printf("ready %d\n", getpid());
	fflush(stdout);
}

/* Block the signal before threads and children start. They inherit the mask. */
static void block(int signal)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signal);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

/* Print "ready", and return when SIGUSR1 arrives. */
static void await_usr1(void)
{
	sigset_t set;
	int signal;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	say_ready();
	sigwait(&set, &signal);
}

static void raise_limit(int which, rlim_t to)
{
	struct rlimit limit = { to, to };

	if (setrlimit(which, &limit))
		warn("setrlimit %d to %lu", which, (unsigned long)to);
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

static void make_threads(char **args)
{
	long n = atol(args[0]);
	pthread_attr_t attr;
	pthread_t thread;
	int error;

	raise_limit(RLIMIT_NPROC, RLIM_INFINITY);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, THREAD_STACK);
	/* A guard page is one more mapping, and a process may have 65,530. */
	pthread_attr_setguardsize(&attr, 0);
	while (n--) {
		error = pthread_create(&thread, &attr, sleep_forever, NULL);
		if (error)
			errx(1, "%ld threads to go: %s", n, strerror(error));
	}
	say_ready();
	/* Threads that exit make readers of the process's times take the lock. */
	while (args[1]) {
		if (!pthread_create(&thread, &attr, return_at_once, NULL))
			pthread_join(thread, NULL);
	}
}

static void read_stat(char **args)
{
	char path[64], text[4096];
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/stat", args[0]);
	say_ready();
	for (;;) {
		fd = open(path, O_RDONLY);
		if (fd < 0)
			exit(0);
		while (read(fd, text, sizeof(text)) > 0)
			;
		close(fd);
	}
}

static int child(void *unused)
{
	prctl(PR_SET_PDEATHSIG, SIGUSR2);
	sleep_forever(unused);
	return 0;
}

static void children(char **args)
{
	long n = atol(args[0]);
	char *stacks = mmap(NULL, n * THREAD_STACK, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	long i;

	if (stacks == MAP_FAILED)
		err(1, "stacks");
	raise_limit(RLIMIT_NPROC, RLIM_INFINITY);
	raise_limit(RLIMIT_SIGPENDING, RLIM_INFINITY);
	/* The children block the signal, too: it is queued, and wakes none of them. */
	block(SIGUSR2);
	for (i = 1; i <= n; i++) {
		if (clone(child, stacks + i * THREAD_STACK, CLONE_VM | SIGCHLD, NULL) < 0)
			err(1, "clone %ld", i);
	}
	await_usr1();
	_exit(0);
}

static void timers(char **args)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL };
	long n = atol(args[0]), ms = atol(args[1]), i;
	timer_t *timer = calloc(n, sizeof(*timer));
	struct itimerspec when = { 0 };

	event.sigev_signo = SIGRTMIN;
	raise_limit(RLIMIT_SIGPENDING, RLIM_INFINITY);
	block(SIGRTMIN);
	for (i = 0; i < n; i++) {
		if (timer_create(CLOCK_MONOTONIC, &event, timer + i))
			err(1, "timer_create %ld", i);
	}
	clock_gettime(CLOCK_MONOTONIC, &when.it_value);
	/* Whole seconds: the shell that starts us may take part of the first one. */
	when.it_value.tv_sec += ms / 1000;
	when.it_value.tv_nsec = 0;
	for (i = 0; i < n; i++) {
		if (timer_settime(timer[i], TIMER_ABSTIME, &when, NULL))
			err(1, "timer_settime %ld", i);
	}
	say_ready();
}

static void watch(long n, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };
	int epoll;

	raise_limit(RLIMIT_NOFILE, n + 100);
	while (n--) {
		epoll = epoll_create1(0);
		if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event))
			err(1, "epoll, %ld to go", n);
	}
}

static void herd(char **args)
{
	int fd = eventfd(0, EFD_NONBLOCK);
	unsigned long long count = 1;

	watch(atol(args[0]), fd);
	for (;;) {
		await_usr1();
		if (write(fd, &count, sizeof(count)) < 0 || read(fd, &count, sizeof(count)) < 0)
			err(1, "eventfd");
		count = 1;
	}
}

static struct sockaddr_in address(in_addr_t host, int port)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };

	addr.sin_addr.s_addr = htonl(host);
	addr.sin_port = htons(port);
	return addr;
}

static int server(int port, int rcvbuf, in_addr_t host)
{
	struct sockaddr_in addr = address(host, port);
	int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (rcvbuf && setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &rcvbuf, sizeof(rcvbuf)))
		err(1, "SO_RCVBUFFORCE");
	if (bind(fd, (struct sockaddr *)&addr, sizeof(addr)) || listen(fd, 4096))
		err(1, "listen on %d", port);
	return fd;
}

static int client(in_addr_t host, int port)
{
	struct sockaddr_in addr = address(host, port);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&addr, sizeof(addr)))
		err(1, "connect to port %d", port);
	return fd;
}

static void listeners(char **args)
{
	int port = atoi(args[1]);
	int fd = server(port, 0, INADDR_LOOPBACK);

	watch(atol(args[0]), fd);
	for (;;) {
		await_usr1();
		close(client(INADDR_LOOPBACK, port));
		close(accept(fd, NULL, NULL));
	}
}

static void time_waits(char **args)
{
	long n = atol(args[0]);
	int port = atoi(args[1]), fd = server(port, 0, INADDR_LOOPBACK), near, far;

	while (n--) {
		near = client(INADDR_LOOPBACK, port);
		far = accept(fd, NULL, NULL);
		/* The end that closes first waits. */
		close(near);
		close(far);
	}
	say_ready();
}

/* Messages are allocated one after the other, so of each slab about one stays. */
static void slab(char **args)
{
	struct { long type; char text[208]; } message = { .type = 1 };
	long n = atol(args[0]), keep = atol(args[1]), j;
	struct msqid_ds ds;
	int queue[2], i;

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
	for (j = 0; j < n; j++) {
		if (msgsnd(queue[j % keep ? 1 : 0], &message, sizeof(message.text), IPC_NOWAIT))
			err(1, "msgsnd %ld", j);
	}
	msgctl(queue[1], IPC_RMID, NULL);
	say_ready();
}

static int bound(int port, const char *dev, in_addr_t host, int reuse)
{
	struct sockaddr_in addr = address(host, port);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0)
		err(1, "socket");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof(reuse));
	if (setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, dev, strlen(dev) + 1))
		err(1, "SO_BINDTODEVICE %s", dev);
	if (bind(fd, (struct sockaddr *)&addr, sizeof(addr)))
		err(1, "bind");
	return fd;
}

static void binds(char **args)
{
	long n = atol(args[0]);
	int port = atoi(args[1]);

	raise_limit(RLIMIT_NOFILE, n + 100);
	while (n--)
		bound(port, "lo", INADDR_LOOPBACK, 1);
	for (;;) {
		await_usr1();
		close(bound(port, args[2], INADDR_ANY, 0));
	}
}

static void flows(char **args)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	long n = atol(args[0]), i;
	struct sockaddr_in addr;

	for (i = 0; i < n; i++) {
		addr = address(FIRST_FLOW + i, 9);
		sendto(fd, "", 1, 0, (struct sockaddr *)&addr, sizeof(addr));
	}
	say_ready();
}

static void hoard(char **args)
{
	int fd = server(atoi(args[0]), HOARD_BYTES, INADDR_ANY);

	say_ready();
	while (accept(fd, NULL, NULL) >= 0)
		;
}

static void drip(char **args)
{
	long n = atol(args[0]), size = atol(args[3]);
	struct in_addr host;
	int fd, one = 1, unsent;
	char *text = calloc(1, size);

	if (!inet_aton(args[1], &host))
		errx(2, "%s: not an address", args[1]);
	fd = client(ntohl(host.s_addr), atoi(args[2]));
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	say_ready();
	while (n--) {
		/* Bytes that wait in the socket would leave in one segment. */
		do {
			if (ioctl(fd, SIOCOUTQNSD, &unsent))
				err(1, "SIOCOUTQNSD");
		} while (unsent);
		if (send(fd, text, size, 0) < 0)
			err(1, "send");
	}
	printf("sent\n");
	fflush(stdout);
}

static void broadcast(char **args)
{
	long n = atol(args[0]);
	struct sockaddr_in any = address(INADDR_ANY, atoi(args[1]));
	struct sockaddr_in all = address(0x7fffffff, atoi(args[1]));
	int fd, one = 1;

	raise_limit(RLIMIT_NOFILE, n + 100);
	while (n--) {
		fd = socket(AF_INET, SOCK_DGRAM, 0);
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
		if (fd < 0 || bind(fd, (struct sockaddr *)&any, sizeof(any)))
			err(1, "socket, %ld to go", n);
	}
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &one, sizeof(one));
	for (;;) {
		await_usr1();
		if (sendto(fd, "", 1, 0, (struct sockaddr *)&all, sizeof(all)) < 0)
			err(1, "broadcast");
	}
}

static void taps(char **args)
{
	long n = atol(args[0]);

	raise_limit(RLIMIT_NOFILE, n + 100);
	while (n--) {
		if (socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_ALL)) < 0)
			err(1, "packet socket, %ld to go", n);
	}
	say_ready();
}

/* The kernel enables all events at once at exec, and one after the other by any other way. */
static void perf(char **args)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr) };
	char self[256] = "";
	long n = atol(args[0]);

	attr.config = PERF_COUNT_SW_DUMMY;
	attr.disabled = 1;
	attr.enable_on_exec = 1;
	raise_limit(RLIMIT_NOFILE, n + 100);
	while (n--) {
		if (syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) < 0)
			err(1, "perf_event_open, %ld to go", n);
	}
	/* By its own path: a task that executes /proc/self/exe is called "exe". */
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		err(1, "readlink");
	execl(self, "crowd", "nap", args[1], NULL);
	err(1, "%s", self);
}

static void nap(char **args)
{
	long ms = atol(args[0]);

	say_ready();
	for (;;)
		usleep(ms * 1000);
}

static void make_aio(char **args)
{
	struct iocb request = { .aio_lio_opcode = IOCB_CMD_POLL, .aio_buf = POLLIN };
	struct iocb *requests = &request;
	long n = atol(args[0]), i;
	aio_context_t context = 0;

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

static void uring(char **args)
{
	struct __kernel_timespec when = { .tv_sec = HOUR_S };
	struct io_uring_params params = { 0 };
	long n = atol(args[0]), batch, i;
	struct io_uring_sqe *sqes, *sqe;
	unsigned int *tail, *array;
	char *ring;
	int fd = syscall(SYS_io_uring_setup, RING_ENTRIES, &params);

	if (fd < 0)
		err(1, "io_uring_setup: see kernel.io_uring_disabled");
	ring = mmap(NULL, params.sq_off.array + params.sq_entries * sizeof(*array),
		    PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQ_RING);
	sqes = mmap(NULL, params.sq_entries * sizeof(*sqes), PROT_READ | PROT_WRITE, MAP_SHARED,
		    fd, IORING_OFF_SQES);
	if (ring == MAP_FAILED || sqes == MAP_FAILED)
		err(1, "mmap of the ring");
	tail = (unsigned int *)(ring + params.sq_off.tail);
	array = (unsigned int *)(ring + params.sq_off.array);
	while (n > 0) {
		batch = n < RING_ENTRIES ? n : RING_ENTRIES;
		for (i = 0; i < batch; i++) {
			sqe = sqes + i;
			memset(sqe, 0, sizeof(*sqe));
			sqe->opcode = IORING_OP_TIMEOUT;
			sqe->fd = -1;
			sqe->addr = (uintptr_t)&when;
			sqe->len = 1;
			array[(*tail + i) % params.sq_entries] = i;
		}
		/* Pairs with the kernel's acquire of the tail: the entries come first. */
		__atomic_store_n(tail, *tail + batch, __ATOMIC_RELEASE);
		if (syscall(SYS_io_uring_enter, fd, batch, 0, 0, NULL, 0) != batch)
			err(1, "io_uring_enter, %ld to go", n);
		n -= batch;
	}
	say_ready();
}

static void free_memory(char **args)
{
	size_t bytes = (size_t)atol(args[0]) << 20;
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		err(1, "%s MB", args[0]);
	/* Huge pages do not go through the lists of free pages of a CPU. */
	madvise(memory, bytes, MADV_NOHUGEPAGE);
	memset(memory, 1, bytes);
	munmap(memory, bytes);
	exit(0);
}

static const struct what {
	const char *name;
	int nr_args;			/* at least */
	void (*make)(char **args);
	const char *help;
} whats[] = {
	{ "aio", 1, make_aio, "N: N polls by aio of one eventfd; USR1 cancels them" },
	{ "bind", 3, binds, "N PORT DEV: N sockets on PORT of lo; USR1 binds one to DEV" },
	{ "broadcast", 2, broadcast, "N PORT: N UDP sockets; USR1 sends a packet to all" },
	{ "children", 1, children, "N: N children that want a signal; USR1 ends their parent" },
	{ "drip", 4, drip, "N ADDRESS PORT SIZE: N segments of SIZE bytes to a hoard" },
	{ "flows", 1, flows, "N: N UDP packets to as many addresses of 127.0.0.0/8" },
	{ "free", 1, free_memory, "MB: allocate, touch and free" },
	{ "herd", 1, herd, "N: N epoll instances that watch one eventfd; USR1 writes to it" },
	{ "hoard", 1, hoard, "PORT: a TCP server that does not read, with a buffer of 64 MB" },
	{ "listen", 2, listeners, "N PORT: N epoll instances on a listener; USR1 connects" },
	{ "nap", 1, nap, "MS: sleep that long, again and again" },
	{ "perf", 2, perf, "N MS: N perf events of a task that sleeps MS, again and again" },
	{ "slab", 2, slab, "N KEEP: N messages of 256 bytes; one in KEEP stays" },
	{ "stat", 1, read_stat, "PID: read /proc/PID/stat for ever" },
	{ "taps", 1, taps, "N: N packet sockets that see all packets" },
	{ "threads", 1, make_threads, "N [churn]: N threads; churn: one more starts and exits" },
	{ "timers", 2, timers, "N MS: N POSIX timers on this CPU that all expire in MS" },
	{ "timewait", 2, time_waits, "N PORT: N sockets in TIME_WAIT" },
	{ "uring", 1, uring, "N: N timeouts of io_uring, of one hour" },
};

int main(int argc, char **argv)
{
	const struct what *what, *end = whats + sizeof(whats) / sizeof(*whats);

	block(SIGUSR1);
	for (what = whats; what < end; what++) {
		if (argc > 1 + what->nr_args && !strcmp(argv[1], what->name)) {
			what->make(argv + 2);
			for (;;)
				pause();
		}
	}
	fprintf(stderr, "usage: crowd WHAT N [ARGUMENT]...\n");
	for (what = whats; what < end; what++)
		fprintf(stderr, "  %s %s\n", what->name, what->help);
	return 2;
}
