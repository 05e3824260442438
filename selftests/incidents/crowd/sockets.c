// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Sockets, and packets for them.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <linux/if_ether.h>
#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "crowd.h"

#define HOARD_BYTES	(32 << 20)	/* the kernel doubles it */
#define FIRST_FLOW	0x7f010000	/* 127.1.0.0 */
#define BACKLOG		4096

static struct sockaddr_in address(in_addr_t host, int port)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };

	addr.sin_addr.s_addr = htonl(host);
	addr.sin_port = htons(port);
	return addr;
}

/* @option: an option of SOL_SOCKET to enable; 0: none */
static int open_socket(int type, int option)
{
	int fd = socket(AF_INET, type, 0), one = 1;

	if (fd < 0 || (option && setsockopt(fd, SOL_SOCKET, option, &one, sizeof(one))))
		err(1, "socket");
	return fd;
}

static void bind_socket(int fd, in_addr_t host, int port)
{
	struct sockaddr_in addr = address(host, port);

	if (bind(fd, (struct sockaddr *)&addr, sizeof(addr)))
		err(1, "bind to port %d", port);
}

static ssize_t send_byte(int fd, in_addr_t host, int port)
{
	struct sockaddr_in addr = address(host, port);

	return sendto(fd, "", 1, 0, (struct sockaddr *)&addr, sizeof(addr));
}

/* @rcvbuf: buffer of each accepted socket, in bytes; 0: the kernel's default */
static int listen_on(in_addr_t host, int port, int rcvbuf)
{
	int fd = open_socket(SOCK_STREAM, SO_REUSEADDR);

	if (rcvbuf && setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &rcvbuf, sizeof(rcvbuf)))
		err(1, "SO_RCVBUFFORCE");
	bind_socket(fd, host, port);
	if (listen(fd, BACKLOG))
		err(1, "listen on port %d", port);
	return fd;
}

static int connect_to(in_addr_t host, int port)
{
	struct sockaddr_in addr = address(host, port);
	int fd = open_socket(SOCK_STREAM, 0);

	if (connect(fd, (struct sockaddr *)&addr, sizeof(addr)))
		err(1, "connect to port %d", port);
	return fd;
}

static void make_listen(long n)
{
	int port = atoi(crowd_args[0]);
	int fd = listen_on(INADDR_LOOPBACK, port, 0);

	crowd_watch(n, fd);
	for (;;) {
		crowd_await_usr1();
		close(connect_to(INADDR_LOOPBACK, port));
		close(accept(fd, NULL, NULL));
	}
}

static int bind_on_device(const char *device, in_addr_t host, int port, int option)
{
	int fd = open_socket(SOCK_STREAM, option);

	if (setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, device, strlen(device) + 1))
		err(1, "SO_BINDTODEVICE %s", device);
	bind_socket(fd, host, port);
	return fd;
}

static void make_bind(long n)
{
	int port = atoi(crowd_args[0]);

	while (n--)
		bind_on_device("lo", INADDR_LOOPBACK, port, SO_REUSEADDR);
	for (;;) {
		crowd_await_usr1();
		close(bind_on_device(crowd_args[1], INADDR_ANY, port, 0));
	}
}

static void make_flows(long n)
{
	int fd = open_socket(SOCK_DGRAM, 0);
	long i;

	for (i = 0; i < n; i++)
		send_byte(fd, FIRST_FLOW + i, 9);
	crowd_say_ready();
}

static void make_hoard(long port)
{
	int fd = listen_on(INADDR_ANY, port, HOARD_BYTES);

	crowd_say_ready();
	while (accept(fd, NULL, NULL) >= 0)
		;
}

static void make_drip(long n)
{
	long size = atol(crowd_args[2]);
	char *text = calloc(1, size);
	int fd, one = 1, unsent;
	struct in_addr host;

	if (!inet_aton(crowd_args[0], &host))
		errx(2, "%s: not an address", crowd_args[0]);
	fd = connect_to(ntohl(host.s_addr), atoi(crowd_args[1]));
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	crowd_say_ready();
	while (n--) {
		/* The kernel would send bytes that wait in the socket in one segment. */
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

static void make_taps(long n)
{
	while (n--) {
		if (socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_ALL)) < 0)
			err(1, "packet socket, %ld to go", n);
	}
	crowd_say_ready();
}

const struct crowd_what crowd_sockets[] = {
	{ "bind", 3, make_bind, "N PORT DEV: N sockets on PORT of lo; USR1 binds one to DEV" },
	{ "drip", 4, make_drip, "N ADDRESS PORT SIZE: N segments of SIZE bytes to a hoard" },
	{ "flows", 1, make_flows, "N: N UDP packets to N addresses of 127.0.0.0/8" },
	{ "hoard", 1, make_hoard, "PORT: a TCP server that does not read; its buffer has 64 MB" },
	{ "listen", 2, make_listen, "N PORT: N epoll instances on a listener; USR1 connects" },
	{ "taps", 1, make_taps, "N: N packet sockets that see all packets" },
	{ NULL, 0, NULL, NULL }
};
