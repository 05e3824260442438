// SPDX-License-Identifier: GPL-2.0
/*
 * sleeper [tai] US...: sleeps for each of these in turn, does nothing, and begins again, until it
 * is killed; by CLOCK_TAI instead of CLOCK_MONOTONIC. A shell that does so starts a process each
 * time, which is anything but nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECOND_US	1000000L

int main(int argc, char **argv)
{
	struct timespec pause = { 0 };
	clockid_t clock = CLOCK_MONOTONIC;
	int i;

	if (argc > 1 && !strcmp(argv[1], "tai")) {
		clock = CLOCK_TAI;
		argc--;
		argv++;
	}
	for (i = 1; i < argc; i++)
		if (atol(argv[i]) < 1 || atol(argv[i]) >= SECOND_US)
			break;
	if (i == 1 || i < argc) {
		fprintf(stderr, "usage: sleeper [tai] US... (1 to 999999)\n");
		return 2;
	}

	for (;;)
		for (i = 1; i < argc; i++) {
			pause.tv_nsec = atol(argv[i]) * 1000;
			clock_nanosleep(clock, 0, &pause, NULL);
		}
}
