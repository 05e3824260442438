// SPDX-License-Identifier: GPL-2.0
/*
 * Two CPUs at once: while one of them runs a check, a tick or an NMI, the other one does something at one of
 * its accesses to shared memory; at each of them in turn.
 */
static double due_ms;	/* when the late tick of CPU 1 was due */

static void late_tick(void)
{
	this_cpu = 1;
	cpus_do[1].regs.irqs_off = cpus_do[1].in_softirq = false;
	if (cpus_do[1].task == &cpus_do[1].idle)
		cpus_do[1].idle_seq = 5;
	cpus_do[1].task = &task;
	tick(now_ns, due_ms * MS, 0);
}

static void answer(void)
{
	this_cpu = 1;
	nmi_answer(&cpus_do[1].regs);
}

/* An NMI interrupts the tick, which has interrupts off. */
static void answer_in_tick(void)
{
	cpus_do[1].regs.irqs_off = true;
	answer();
	cpus_do[1].regs.irqs_off = false;
}

static void check(void)
{
	check_at((double)now_ns / MS);
}

/* The idle task goes on, and then another softirq runs. */
static void leave_softirq(void)
{
	cpus_do[1].idle_seq = 5;
}

/* Busy, with interrupts off since the tick of 1000 ms: the check that opens the window comes next. */
static void opening(void)
{
	start(1000);
	tick_at(1000);
	cpus_do[1].regs.irqs_off = true;
	due_ms = 1004;
	check_at(1000);
	at(1012);
}

/* The same, 96 ms later, with one sample, and one that was requested */
static void open(void)
{
	opening();
	check_at(1012);
	nmi_at(1012.1);
	check_at(1090);
	at(1100);
}

/* A softirq on an idle CPU, for 100 ms. The NMI that was requested has not been answered. */
static void idle_open(void)
{
	start(1900);
	cpus_do[1].task = &cpus_do[1].idle;
	cpus_do[1].idle_seq = 2;
	check_at(1990);
	cpus_do[1].idle_seq = 3;
	cpus_do[1].in_softirq = true;
	due_ms = 2099;
	check_at(2000);
	check_at(2010);
	check_at(2090);
	at(2100);
}

/* The same, but the first NMI is requested at its end. */
static void idle_asked(void)
{
	idle_open();
	atomic64_set(&per_cpu_ptr(nmi_cpus, 1)->request_ns, 0);
	check_at(2100);
}

/* As idle_open(), and the softirq has ended: the check that ends its window comes next. */
static void idle_ends(void)
{
	idle_open();
	leave_softirq();
}

/* A softirq on an idle CPU turns interrupts off: the check that requests the first sample comes next. */
static void idle_off(void)
{
	start(1900);
	cpus_do[1].task = &cpus_do[1].idle;
	cpus_do[1].idle_seq = 3;
	cpus_do[1].in_softirq = cpus_do[1].regs.irqs_off = true;
	check_at(2000);
	at(2010);
}

/* Is an IPI sent with the first NMI, also if the answer comes at any access of the check? */
static bool ipi_is_sent(void)
{
	int nr, sent = 0;

	for (nr = 0; ; nr++) {
		idle_off();
		accesses_left = nr;
		at_access = answer;
		check();
		if (at_access)
			break;
		sent += nr_ipis == nr_nmis;
	}
	at_access = NULL;
	return nr > 9 && sent == nr;
}

/*
 * After @before, run @event, and @other at one of its accesses; then CPU 1 ticks, and CPU 0 checks. Each time,
 * there must be one record, of @kind, with both trace events, and no open window; with NR_WINDOW_KINDS, no record.
 * Return: the number of accesses of @event; 0 if there was something else.
 */
static int interleave(void (*before)(void), void (*event)(void), void (*other)(void), enum window_kind kind)
{
	double ms;
	int nr;

	for (nr = 0; ; nr++) {
		before();
		ms = (double)now_ns / MS;
		accesses_left = nr;
		at_access = other;
		event();
		if (at_access)
			break;
		if (event != late_tick && other != late_tick) {
			at(ms += 0.5);
			late_tick();
		}
		tick_at(ms + 4);
		check_at(ms + 5);
		tick_at(ms + 8);
		check_at(ms + 10);
		if (nr_records() != (kind < NR_WINDOW_KINDS) || nr_window_open_events != nr_window_events ||
		    nr_window_events != nr_records() || window_began(check_window(1)) ||
		    (nr_records() && newest()->kind != kind)) {
			printf("# not so if it happens at access %d\n", nr);
			return 0;
		}
	}
	at_access = NULL;
	return nr;
}

/* Each has some dozen accesses. */
static bool all_one(void (*before)(void), void (*event)(void), void (*other)(void), enum window_kind kind)
{
	return interleave(before, event, other, kind) > 9;
}

static void interleaved(void)
{
	expect("a CPU ticks while a check opens its window: none is left open",
	       all_one(opening, check, late_tick, NR_WINDOW_KINDS));
	expect("a late tick during a check: one record", all_one(open, check, late_tick, WINDOW_HARDIRQ));
	expect("a check during a late tick: one record", all_one(open, late_tick, check, WINDOW_HARDIRQ));
	expect("an NMI during a check: one record", all_one(open, check, answer, WINDOW_HARDIRQ));
	expect("an NMI during a late tick: one record", all_one(open, late_tick, answer, WINDOW_HARDIRQ));
	expect("a late tick during an NMI: one record", all_one(open, answer, late_tick, WINDOW_HARDIRQ));
	expect("a check during an NMI: one record", all_one(open, answer, check, WINDOW_HARDIRQ));
	expect("a softirq of an idle CPU ends during a check: one record",
	       all_one(idle_open, check, leave_softirq, WINDOW_SOFTIRQ));
	expect("it wakes a task that ticks late during that check: one record, unsampled",
	       all_one(idle_open, check, late_tick, WINDOW_SOFTIRQ) && newest()->end.state == STATE_UNSAMPLED);
	expect("an NMI that was requested in that softirq adds no sample of the task: one record, unsampled",
	       interleave(idle_asked, late_tick, answer_in_tick, WINDOW_SOFTIRQ) &&
	       newest()->end.state == STATE_UNSAMPLED);
	expect("an NMI during the check that ends the window: the record has the kind of its sample",
	       all_one(idle_ends, check, answer, WINDOW_SOFTIRQ));
	expect("an IPI follows the first NMI of a window, also if the CPU answers the NMI at once", ipi_is_sent());
}
