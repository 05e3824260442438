// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * stopwatch LAPS N: run N iterations LAPS times. Print begin and end of each lap in ns of
 * CLOCK_MONOTONIC.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SECOND_NS	1000000000LL
#define GRID_NS		40000000LL
#define AFTER_NS	200000LL	/* until the periodic work of that moment is done */
#define LAPS_MAX	1000

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SECOND_NS + now.tv_nsec;
}

/*
 * Wait until shortly after a multiple of 40 ms, which is a multiple of 10 ms and of the scheduler's
 * tick: then periodic work comes at the same times in each lap. If the clock counts instructions,
 * laps differ only by work that the kernel does from time to time.
 */
static void wait_for_grid(void)
{
	long long at_ns = (now_ns() / GRID_NS + 1) * GRID_NS + AFTER_NS;
	struct timespec at = { .tv_sec = at_ns / SECOND_NS, .tv_nsec = at_ns % SECOND_NS };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

int main(int argc, char **argv)
{
	static long long begin_ns[LAPS_MAX], end_ns[LAPS_MAX];
	int i, nr = argc == 3 ? atoi(argv[1]) : 0;

	if (nr < 1 || nr > LAPS_MAX)
		errx(2, "usage: stopwatch LAPS N");

	for (i = 0; i < nr; i++) {
		unsigned long iterations = strtoul(argv[2], NULL, 0);

		wait_for_grid();
		begin_ns[i] = now_ns();
		while (iterations--)
			__asm__ volatile("");
		end_ns[i] = now_ns();
	}

	for (i = 0; i < nr; i++)
		printf("%lld %lld\n", begin_ns[i], end_ns[i]);
	return 0;
}
