/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* The files under test, and the texts that are written to them. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof(*(array)))

#define US		1000ULL			/* in ns, like MS, S and HOUR */
#define MS		(1000 * US)
#define S		(1000 * MS)
#define HOUR		(3600 * S)

#define WORD_MAX	32			/* bytes that a file takes; cpus: a page */
#define LIST_MAX	65536			/* bytes: the largest page there is */
#define TOO_LONG_MAX	5000			/* maximum of bytes above the limit, about */
#define TEXT_MAX	(LIST_MAX + TOO_LONG_MAX)
#define READ_MAX	8192			/* bytes, enough for the status of CPUS_MAX CPUs */

enum answer { ACCEPTED, INVALID, RANGE, TOO_BIG, BUSY, OTHER, NR_ANSWERS };

enum { ENABLE, PERIOD, THRESHOLD, CPUS, NR_FILES };

/**
 * struct file - one file under test
 * @name: in /proc/trace_irqoff
 * @gives: answers that the file can give
 * @words: texts that the file accepts, from which others are made; ends with NULL
 * @limit: bytes that the file accepts
 * @fd: open for reading and writing
 * @writes: number of writes so far
 * @undecided: writes of which the model could not say whether they are accepted
 * @counts: how often each answer was given
 */
struct file {
	const char *name;
	unsigned int gives;
	const char *words[20];
	size_t limit;
	int fd;
	unsigned long writes, undecided, counts[NR_ANSWERS];
};

extern struct file files[NR_FILES];

struct text {
	size_t len;
	char bytes[TEXT_MAX];
};

extern unsigned long nr_writes;		/* to all files */

#endif /* FUZZ_H */
