/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Compares the files with the model. */
#ifndef FUZZ_COMPARE_H
#define FUZZ_COMPARE_H

#include <stdbool.h>

struct text;

extern int status_fd;
extern int mismatches;			/* reported so far */

/** read_file() - read a file from its beginning, READ_MAX bytes at most. */
void read_file(int fd, const char *name, char *seen);

/** begin_mismatch() - print the head of a report; the caller prints two more lines. */
void begin_mismatch(int file, const struct text *text);

/** compare_file() - Return: whether @what reads as expected after @text was written to @file. */
bool compare_file(int file, const struct text *text, int what);

/** compare_all() - Return: whether all files and status read as the model expects. */
bool compare_all(int file, const struct text *text);

/** adopt_cpus() - let the model expect the CPUs that the module has now. */
bool adopt_cpus(void);

/** adopt() - let the model expect all settings that the module has now. */
void adopt(void);

#endif /* FUZZ_COMPARE_H */
