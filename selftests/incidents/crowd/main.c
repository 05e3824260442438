// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * crowd WHAT N [ARGUMENT]...: make N objects of one kind, print "ready PID", and wait. Incidents
 * need, for example, 20,000 threads, timers or sockets, and no tool of Debian makes that many.
 * Without arguments, crowd prints a list of each WHAT. Where the list says "USR1", crowd does the
 * harmful thing when it gets SIGUSR1, which a script sends while it traces.
 * Exit status: 1 if the kernel refuses something, 2 for wrong arguments.
 */
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "crowd.h"

#define FILES_MAX	1000000

char **crowd_args;

void crowd_say_ready(void)
{
	printf("ready %d\n", getpid());
	fflush(stdout);
}

void crowd_await_usr1(void)
{
	sigset_t set;
	int signal;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	crowd_say_ready();
	sigwait(&set, &signal);
}

/* Threads inherit the mask: the kernel queues the signals and wakes no thread. */
static void block_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static void raise_limit(int which, rlim_t to)
{
	struct rlimit limit = { to, to };

	if (setrlimit(which, &limit))
		warn("setrlimit %d to %lu", which, (unsigned long)to);
}

int main(int argc, char **argv)
{
	static const struct crowd_what * const tables[] = { crowd_objects, crowd_sockets };
	const struct crowd_what *what;
	int i;

	for (i = 0; i < 2; i++) {
		for (what = tables[i]; what->name; what++) {
			if (argc < 2 + what->nr_args || strcmp(argv[1], what->name))
				continue;
			block_signals();
			raise_limit(RLIMIT_NOFILE, FILES_MAX);
			raise_limit(RLIMIT_NPROC, RLIM_INFINITY);
			raise_limit(RLIMIT_SIGPENDING, RLIM_INFINITY);
			crowd_args = argv + 3;
			what->make(atol(argv[2]));
			for (;;)
				pause();
		}
	}
	fprintf(stderr, "usage: crowd WHAT N [ARGUMENT]...\n");
	for (i = 0; i < 2; i++)
		for (what = tables[i]; what->name; what++)
			fprintf(stderr, "  %s %s\n", what->name, what->help);
	return 2;
}
