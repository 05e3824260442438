// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/* only_cap N COMMAND [ARGUMENT]...: run a command as root with capability N and no other. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int cap;

	if (argc < 3) {
		fprintf(stderr, "usage: only_cap N COMMAND [ARGUMENT]...\n");
		return 2;
	}
	/* prctl() fails for numbers beyond the last capability of this kernel. */
	for (cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
		if (cap != atoi(argv[1]) && prctl(PR_CAPBSET_DROP, cap, 0, 0, 0)) {
			perror("PR_CAPBSET_DROP");
			return 1;
		}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 1;
}
