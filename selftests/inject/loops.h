/* SPDX-License-Identifier: GPL-2.0 */
/* Loops whose state is known. */
#ifndef IRQOFF_INJECT_LOOPS_H
#define IRQOFF_INJECT_LOOPS_H

struct inject_window;

#define INJECT_NR_LOOPS	16

/**
 * struct inject_loop - a loop
 * @name: the function loop_NAME goes on
 * @run: calls loop_NAME, which returns at the end_ns of @window. Context: any
 */
struct inject_loop {
	const char *name;
	void (*run)(struct inject_window *window);
};

extern const struct inject_loop inject_loops[INJECT_NR_LOOPS];

void inject_loops_init(void);	/* once, before the first run() */

#endif /* IRQOFF_INJECT_LOOPS_H */
