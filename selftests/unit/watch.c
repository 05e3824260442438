// SPDX-License-Identifier: GPL-2.0
/* Which CPUs check a group: four CPUs, of which CPU 0 ticks or wakes, and checks the others. */

/* All CPUs are busy, but those in the mask @idle. CPUs @first and @second watch, and were due at 1012 ms. */
static void watched_by(int first, int second, unsigned long idle)
{
	int cpu;

	start_cpus(1000, 4);
	for_each_possible_cpu(cpu) {
		if (!(idle & BIT(cpu)))
			continue;
		cpus_do[cpu].task = &cpus_do[cpu].idle;
		cpus_do[cpu].idle_seq = 2;
	}
	group.watchers[0] = (struct watcher) { .cpu = first, .due_ns = 1012 * MS };
	group.watchers[1] = (struct watcher) { .cpu = second, .due_ns = 1012 * MS };
	group.last_chosen = 0;
	memset(ipi_was_sent, 0, sizeof(ipi_was_sent));
}

static bool cpu_0_chooses(double ms, int first, int second)
{
	this_cpu = 0;
	at(ms);
	watch_check(now_ns, 0);
	return group.watchers[0].cpu == first && group.watchers[1].cpu == second;
}

static void watchers(void)
{
	watched_by(0, 1, BIT(0) | BIT(1) | BIT(2));
	expect("idle watchers that check in time stay", cpu_0_chooses(1012, 0, 1) && !ipi_was_sent[2]);

	watched_by(0, 1, BIT(0) | BIT(2) | BIT(3));
	expect("an idle CPU replaces a busy watcher, and is sent an IPI", cpu_0_chooses(1012, 0, 2) &&
	       ipi_was_sent[2] && !ipi_was_sent[3]);
	cpus_do[1].idle_seq = 2;
	cpus_do[2].idle_seq = 3;
	expect("then the next idle CPU, in turn", cpu_0_chooses(1024, 0, 3) && ipi_was_sent[3]);

	watched_by(0, 1, BIT(1) | BIT(2));
	expect("a busy CPU that checks is replaced, too", cpu_0_chooses(1012, 2, 1));

	watched_by(1, 2, BIT(1) | BIT(2) | BIT(3));
	expect("a watcher that is late by less than two intervals stays", cpu_0_chooses(1035, 1, 2));
	watched_by(1, 2, BIT(1) | BIT(2) | BIT(3));
	group.watchers[0].due_ns = 1040 * MS;
	group.idle = BIT(0);
	group.last_chosen = 3;
	expect("one that is later is replaced, not by a busy CPU that was idle before", cpu_0_chooses(1037, 1, 3) && ipi_was_sent[3]);
	watched_by(1, 2, BIT(0) | BIT(1) | BIT(2));
	group.watchers[0].due_ns = 1040 * MS;
	expect("by the idle CPU that checks, if there is no other one", cpu_0_chooses(1037, 1, 0) &&
	       this_cpu_ptr(&watch_timers)->queued);

	watched_by(1, 2, 0);
	expect("if all CPUs are busy, the one that checks takes one place: the other watcher checks it",
	       cpu_0_chooses(1100, 0, 2));
}
