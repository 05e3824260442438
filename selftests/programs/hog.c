// SPDX-License-Identifier: GPL-2.0
/*
 * hog CPU: takes a CPU for itself, as a real-time task that never sleeps, until it is killed.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct sched_param param = { .sched_priority = 99 };
	cpu_set_t cpus;

	if (argc != 2) {
		fprintf(stderr, "usage: hog CPU\n");
		return 2;
	}

	CPU_ZERO(&cpus);
	CPU_SET(atoi(argv[1]), &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) ||
	    sched_setscheduler(0, SCHED_FIFO, &param)) {
		perror("hog");
		return 1;
	}
	/* An emulator that counts instructions carries out a row of these at once. */
	for (;;)
		asm volatile(".rept 256\n\tnop\n\t.endr");
}
