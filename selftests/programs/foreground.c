// SPDX-License-Identifier: GPL-2.0
/*
 * foreground COMMAND [ARGUMENT]...: runs it as if a person had typed it. What a script starts
 * in the background ignores SIGINT and SIGQUIT, and a shell can not be talked out of that.
 */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: foreground COMMAND [ARGUMENT]...\n");
		return 2;
	}
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 1;
}
