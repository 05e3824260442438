/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* Random texts to write to the files. A seed repeats them. */
#ifndef FUZZ_TEXTS_H
#define FUZZ_TEXTS_H

struct text;

/** seed_random() - set the seed, which decides all numbers and texts. */
void seed_random(unsigned long long seed);

/** below() - Return: a random number from 0 to @limit - 1. */
unsigned int below(unsigned int limit);

/** add() - append @string, if there is room. */
void add(struct text *text, const char *string);

/** make_text() - make a text for one of the files. */
void make_text(struct text *text, int file);

#endif /* FUZZ_TEXTS_H */
