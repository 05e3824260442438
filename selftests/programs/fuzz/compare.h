/* SPDX-License-Identifier: GPL-2.0 */
/* What the files read, against what they should by the model. */
#ifndef FUZZ_COMPARE_H
#define FUZZ_COMPARE_H

#include <stdbool.h>

struct text;

extern int status_fd;
extern int mismatches;			/* reported so far */

/** read_file() - the file from its beginning, up to READ_MAX; a longer one is cut. */
void read_file(int fd, const char *name, char *seen);

/** begin_mismatch() - the head of a report; the caller prints two more lines. */
void begin_mismatch(int file, const struct text *text);

/** compare_file() - does @what read as it should, after @text was written to @file? */
bool compare_file(int file, const struct text *text, int what);

/** compare_all() - do all files, and status? */
bool compare_all(int file, const struct text *text);

/** adopt_cpus() - what the module has now becomes what it should have: its CPUs. */
bool adopt_cpus(void);

/** adopt() - all of it: at the beginning, and after a mismatch. */
void adopt(void);

#endif /* FUZZ_COMPARE_H */
