// SPDX-License-Identifier: GPL-2.0
/*
 * sleeper US...: sleeps for each of these in turn, does nothing, and begins again, until it is
 * killed. A shell that does so starts a process each time, which is anything but nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SECOND_US	1000000L

int main(int argc, char **argv)
{
	struct timespec pause = { 0 };
	int i;

	for (i = 1; i < argc; i++)
		if (atol(argv[i]) < 1 || atol(argv[i]) >= SECOND_US)
			break;
	if (i == 1 || i < argc) {
		fprintf(stderr, "usage: sleeper US... (1 to 999999)\n");
		return 2;
	}

	for (;;)
		for (i = 1; i < argc; i++) {
			pause.tv_nsec = atol(argv[i]) * 1000;
			clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
		}
}
