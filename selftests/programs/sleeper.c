// SPDX-License-Identifier: GPL-2.0
/*
 * sleeper HZ: wakes so many times a second, does nothing, and sleeps again, until it is
 * killed. A shell that does so starts a process each time, which is anything but nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SECOND_NS	1000000000L

int main(int argc, char **argv)
{
	long hz = argc == 2 ? atol(argv[1]) : 0;
	struct timespec pause = { 0 };

	if (hz < 2) {
		fprintf(stderr, "usage: sleeper HZ (2 or more)\n");
		return 2;
	}

	pause.tv_nsec = SECOND_NS / hz;
	for (;;)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
}
