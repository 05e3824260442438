/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* What all processes of hammer use. */
#ifndef HAMMER_H
#define HAMMER_H

#include <stdbool.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

enum count { READS, LINES, MARKED, WRITES, REFUSED, SESSIONS, POLLS, NEWS, SWITCHES, WRONG,
	     NR_COUNTS };

extern bool only_records;
extern unsigned int process_number;	/* of the processes of a kind, from 0 */

/** draw() - Return: a random number from 0 to @below - 1. */
unsigned int draw(unsigned int below);

/** count_one() - count for all processes. */
void count_one(enum count what);

/** pause_up_to_ms() - sleep for a random time. */
void pause_up_to_ms(unsigned int ms);

/** open_file() - open a file of the module. */
int open_file(const char *name, int flags);

/** make_windows() - make windows without end. */
void make_windows(void);

/** read_records() - read records from the beginning, and check them. */
void read_records(void);

#endif /* HAMMER_H */
