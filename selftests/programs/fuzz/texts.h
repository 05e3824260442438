/* SPDX-License-Identifier: GPL-2.0 */
/* Texts to write into the files, made by a chance that a seed repeats. */
#ifndef FUZZ_TEXTS_H
#define FUZZ_TEXTS_H

struct text;

/** seed_random() - the same @seed makes the same numbers and texts again. */
void seed_random(unsigned long long seed);

/** below() - a random number from 0 to @limit - 1. */
unsigned int below(unsigned int limit);

/** add() - put @string at the end, if there is room. */
void add(struct text *text, const char *string);

/** make_text() - another text for one of the files. */
void make_text(struct text *text, int file);

#endif /* FUZZ_TEXTS_H */
