// SPDX-License-Identifier: GPL-2.0
/* Tests of the state machines of the module. */
#include "machine.c"
#include "hardirqs.c"
#include "idle.c"
#include "interleaved.c"
#include "watch.c"
#include "delays.c"
#include "handlers.c"
#include "stack.c"
#include "report.c"

int main(void)
{
	percpu_init();
	if (recorder_init(NR_SLOTS) || histogram_init() || softirqs_init() || nosched_init() || nmi_setup(1))
		return 1;
	windows();
	records();
	hardirqs();
	idle();
	interleaved();
	watchers();
	softirqs();
	nosched();
	handlers();
	stacks();
	reports();
	printf("1..%d\n", nr_tests);
	return nr_failed > 0;
}
