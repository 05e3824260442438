// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * sleeper [tai] US...: sleep for each of these times in turn, without end, by CLOCK_MONOTONIC or
 * CLOCK_TAI. A shell would start a process for each sleep, and so keep the CPU busy.
 */
#include <err.h>
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
	if (i == 1 || i < argc)
		errx(2, "usage: sleeper [tai] US... (1 to 999999)");

	for (;;)
		for (i = 1; i < argc; i++) {
			pause.tv_nsec = atol(argv[i]) * 1000;
			clock_nanosleep(clock, 0, &pause, NULL);
		}
}
