// SPDX-License-Identifier: GPL-2.0
/*
 * sleeper US [tai]: sleep for this time, without end, by CLOCK_MONOTONIC or CLOCK_TAI. A shell
 * would start a process for each sleep, and so keep the CPU busy.
 */
#include <err.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	struct timespec pause = { 0 };

	if (argc < 2 || atol(argv[1]) < 1 || atol(argv[1]) > 999999)
		errx(2, "usage: sleeper US [tai] (1 to 999999)");
	pause.tv_nsec = atol(argv[1]) * 1000;
	for (;;)
		clock_nanosleep(argc > 2 ? CLOCK_TAI : CLOCK_MONOTONIC, 0, &pause, NULL);
}
