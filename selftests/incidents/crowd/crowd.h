/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
#ifndef CROWD_H
#define CROWD_H

/* SIGUSR1 and SIGRTMIN are blocked in all threads. */

/**
 * struct crowd_what - one WHAT of the command line
 * @name: the word; NULL ends a table
 * @nr_args: the number of arguments that it needs, including N
 * @make: make @n objects, and print "ready" with one of the functions below. @n is the first
 *	argument. Exits if the kernel refuses something
 * @help: its arguments, and what it makes
 */
struct crowd_what {
	const char *name;
	int nr_args;
	void (*make)(long n);
	const char *help;
};

extern char **crowd_args;	/* the arguments after N, and a NULL */
extern const struct crowd_what crowd_sockets[];
extern const struct crowd_what crowd_objects[];

/** crowd_say_ready() - print "ready PID" */
void crowd_say_ready(void);

/** crowd_await_usr1() - print "ready PID", and return when SIGUSR1 arrives */
void crowd_await_usr1(void);

/** crowd_watch() - make @n epoll instances that wait until @fd can be read */
void crowd_watch(long n, int fd);

#endif /* CROWD_H */
