// SPDX-License-Identifier: GPL-2.0
/*
 * foreground COMMAND [ARGUMENT]...: run a command with the default actions of SIGINT and SIGQUIT. A
 * shell lets its background commands ignore these signals, and has no way to undo that.
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
