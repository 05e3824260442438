// SPDX-License-Identifier: GPL-2.0
/* only_cap N COMMAND [ARGUMENT]...: run a command as root with capability N and no other. */
#include <err.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int cap;

	if (argc < 3)
		errx(2, "usage: only_cap N COMMAND [ARGUMENT]...");
	/* prctl() fails for numbers beyond the last capability of this kernel. */
	for (cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
		if (cap != atoi(argv[1]) && prctl(PR_CAPBSET_DROP, cap, 0, 0, 0))
			err(1, "PR_CAPBSET_DROP");
	execvp(argv[2], argv + 2);
	err(1, "%s", argv[2]);
}
