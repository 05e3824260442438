// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/* flood: send packets to itself over the loopback device, without end. */
#include <arpa/inet.h>
#include <err.h>
#include <sys/socket.h>

int main(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	char packet[1400] = "";
	int i;

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) ||
	    getsockname(fd, (struct sockaddr *)&address, &size))
		err(1, "no socket");
	for (;;) {
		for (i = 0; i < 16; i++)
			if (sendto(fd, packet, sizeof(packet), 0,
				   (struct sockaddr *)&address, size) < 0)
				err(1, "sendto");
		while (recv(fd, packet, sizeof(packet), MSG_DONTWAIT) > 0)
			;
	}
}
