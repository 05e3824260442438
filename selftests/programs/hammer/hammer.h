/* SPDX-License-Identifier: GPL-2.0 */
/* What all processes of hammer use. */
#ifndef HAMMER_H
#define HAMMER_H

#include <stdbool.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

enum count { READS, LINES, MARKED, WRITES, REFUSED, SESSIONS, POLLS, NEWS, SWITCHES, WRONG,
	     NR_COUNTS };

extern unsigned int process_number;	/* from 0; makers come first */

unsigned int draw(unsigned int below);	/* Return: a random number from 0 to @below - 1 */
void count_one(enum count what);	/* for all processes */
void pause_up_to_ms(unsigned int ms);	/* for a random time */
int open_file(const char *name, int flags);	/* of the module */
void make_windows(void);	/* without end */
void read_records(void);	/* from the beginning, and check them */

#endif /* HAMMER_H */
