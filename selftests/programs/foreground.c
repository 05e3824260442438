// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * foreground COMMAND [ARGUMENT]...: run a command as if it were not in the background. A shell lets
 * its background commands ignore SIGINT and SIGQUIT, and cannot undo that.
 */
#include <err.h>
#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 2)
		errx(2, "usage: foreground COMMAND [ARGUMENT]...");
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	execvp(argv[1], argv + 1);
	err(1, "%s", argv[1]);
}
