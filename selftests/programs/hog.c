// SPDX-License-Identifier: GPL-2.0
/*
 * hog CPU: keep a CPU busy with a real-time task that never sleeps.
 */
#define _GNU_SOURCE
#include <err.h>
#include <sched.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct sched_param param = { .sched_priority = 99 };
	cpu_set_t cpus;

	if (argc != 2)
		errx(2, "usage: hog CPU");
	CPU_ZERO(&cpus);
	CPU_SET(atoi(argv[1]), &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || sched_setscheduler(0, SCHED_FIFO, &param))
		err(1, "hog");
	/* An emulator that counts instructions runs these NOPs as one block. */
	for (;;)
		asm volatile(".rept 256\n\tnop\n\t.endr");
}
