// SPDX-License-Identifier: GPL-2.0
/* Windows that checks end: of a CPU that is idle before, afterwards or all the time. */
static bool polls;	/* the idle task of CPU 1 */
static bool then_softirq;	/* for the second half of the time, a softirq runs */

/* CPU 1 is idle, and then an interrupt handler or softirq runs there from @from to @to. */
static void run_idle(double from, double to, bool softirq, bool off, bool ipi_waits)
{
	double ms;

	start(from - 100);
	cpus_do[1].task = &cpus_do[1].idle;
	cpus_do[1].idle_seq = 2;
	for (ms = from - 90; ms < from; ms += 10)
		check_at(ms);
	cpus_do[1].idle_seq = 3;
	cpus_do[1].in_softirq = softirq;
	cpus_do[1].regs.irqs_off = off;
	cpus_do[1].ipi_waits = ipi_waits;
	cpus_do[1].polls = polls;
	for (ms = from; ms < to; ms += 10) {
		check_at(ms);
		nmi_at(ms + 0.1);
		if (then_softirq && 2 * ms >= from + to) {
			cpus_do[1].in_softirq = true;
			cpus_do[1].regs.irqs_off = cpus_do[1].ipi_waits = false;
		}
	}
	host_takes(60);
	cpus_do[1].idle_seq = 4;
	check_at(to);
}

/* CPU 1 turns interrupts off. The second check from @from on opens a window, and requests a sample. */
static void stuck_from(double from)
{
	cpus_do[1].regs.irqs_off = true;
	check_at(from);
	check_at(from + 12);
	nmi_at(from + 12.1);
}

static void idle(void)
{
	int i;

	run_idle(2000, 2200, false, true, true);
	expect("an idle CPU: a handler is a hardirq window", nr_records() == 1 && newest()->kind == WINDOW_HARDIRQ);
	expect_ms("from the check that saw its begin to the last one that found it stuck", 190, newest()->latency_ns);
	expect_ms("its upper bound from the last check before it to the first one after it", 210, newest()->max_ns);
	run_idle(2000, 2200, true, false, false);
	expect("a softirq is a softirq window", nr_records() == 1 && newest()->kind == WINDOW_SOFTIRQ);
	expect("time that the host took from an idle CPU is in the record", newest()->steal_ns == 60 * MS);
	run_idle(2000, 2200, true, true, false);
	expect("a softirq with interrupts off, but that took an IPI, is a softirq window",
	       nr_records() == 1 && newest()->kind == WINDOW_SOFTIRQ);
	run_idle(2000, 2200, true, true, true);
	expect("a softirq that keeps an IPI waiting is a hardirq window",
	       nr_records() == 1 && newest()->kind == WINDOW_HARDIRQ && newest()->end.state == STATE_IRQ_OFF);
	expect("all its samples are kept", newest()->nr_samples > 3);
	then_softirq = true;
	run_idle(2000, 2200, false, true, true);
	expect("a handler and then a softirq are two windows", nr_records() == 2 && newest()->kind == WINDOW_SOFTIRQ);
	then_softirq = false;
	polls = true;
	run_idle(2000, 2200, true, true, true);
	expect("but not if the idle task polls, which is sent no IPI", newest()->kind == WINDOW_SOFTIRQ);
	polls = false;
	start(2000);
	cpus_do[1].task = &cpus_do[1].idle;
	cpus_do[1].in_softirq = cpus_do[1].regs.irqs_off = cpus_do[1].ipi_waits = true;
	check_at(2000);
	check_at(2010);
	nmi_at(2010.1);
	expect("an IPI that has waited for only 0.1 ms does not prove interrupts off: a softirq window",
	       check_window(1)->kind == WINDOW_SOFTIRQ);
	run_idle(2000, 2040, true, false, false);
	expect("a window below the threshold has no record", nr_records() == 0);

	start(1900);
	tick_at(1900);
	stuck_from(1900);
	check_at(1980);
	nmi_at(1980.1);
	cpus_do[1].idle_seq = 3;
	check_at(2200);
	expect_ms("a busy task was sampled, and the CPU is idle now: the lower bound ends at the sample",
		  1980.1 - 1904, newest()->latency_ns);

	/* The handler has ended by 2103: an NMI finds the idle task with interrupts on. */
	run_idle(2000, 2100, false, true, true);
	start(1900);
	cpus_do[1].task = &cpus_do[1].idle;
	stuck_from(1900);
	check_at(1980);
	nmi_at(1980.1);
	cpus_do[1].regs.irqs_off = false;
	for (i = 0; i < 4; i++) {
		check_at(1992 + 12 * i);
		nmi_at(1992.1 + 12 * i);
	}
	expect("an NMI found the window over: it has one record", nr_records() == 1);
	expect("the lower bound ends there", newest()->latency_ns < 105 * MS && newest()->latency_ns > 79 * MS);

	start(1900);
	cpus_do[1].task = &cpus_do[1].idle;
	stuck_from(1900);
	cpus_do[1].task = &task;
	check_at(1980);
	nmi_at(1980.1);
	expect("a busy task adds no sample to a window of the idle task", check_window(1)->nr == 1);
	expect("no second NMI is sent before a second has passed", nr_nmis == 2);
	nr_window_open_events = 0;
	check_window(1)->announced = false;
	tick_late_at(2090, 1990);
	expect("the late tick of a busy task takes no sample from it", nr_records() == 1 && !newest()->nr_samples);
	expect("and neither closes it nor takes its event", window_began(check_window(1)) &&
	       nr_window_open_events == 1 && !check_window(1)->announced);

	start(1900);
	cpus_do[1].task = &cpus_do[1].idle;
	stuck_from(1900);
	cpus_do[1].regs.irqs_off = false;
	check_at(1924);
	nmi_at(1924.1);
	cpus_do[1].task = &task;
	cpus_do[1].regs.irqs_off = true;
	tick_late_at(2000, 1905);
	expect("nor from one that an NMI found over", nr_records() == 1 && !newest()->nr_samples &&
	       window_began(check_window(1)));

	stuck_after(1900);
	check_at(2800);
	expect("an NMI that is not answered is not repeated", nr_nmis == 1);
	check_at(2913);
	expect("but after a second it is", nr_nmis == 2);

	start(1900);
	nmi_mode = 0;
	nmi_enable(true);
	cpus_do[1].task = &cpus_do[1].idle;
	for (i = 0; i < 10; i++)
		check_at(1900 + 12 * i);
	cpus_do[1].idle_seq = 2;
	check_at(2040);
	expect("without a sample, a window of an idle CPU is an unsampled softirq window",
	       newest()->kind == WINDOW_SOFTIRQ && newest()->end.state == STATE_UNSAMPLED);
	expect("without NMIs, no IPI is sent", !nr_ipis);

	/* A softirq until 2000 ms, and then another one: ticks come in each of them. */
	start(1900);
	nmi_mode = 0;
	nmi_enable(true);
	cpus_do[1].task = &cpus_do[1].idle;
	cpus_do[1].in_softirq = true;
	for (i = 0; i < 9; i++) {
		check_at(1900 + 12 * i);
		tick_at(1902 + 12 * i);
	}
	expect("a tick in softirqs of the idle task takes a sample", check_window(1)->nr > 3);
	cpus_do[1].idle_seq = 3;
	tick_at(2005);
	cpus_do[1].idle_seq = 4;
	check_at(2008);
	expect("but not in the next softirqs, before a check has seen that the window is over", nr_records() == 1 &&
	       newest()->kind == WINDOW_SOFTIRQ && window_newest(check_window(1), newest()->nr_samples)->at_ns < 2000 * MS);

	stuck_after(1900);
	nmi_at(1912.1);
	for (i = 2; i < 10; i++)
		check_at(1900 + 12 * i);
	cpus_do[1].idle_seq = 3;
	check_at(2040);
	expect("interrupts were on, and the CPU is alive: irq-on", newest()->end.state == STATE_IRQ_ON);

	stuck_after(1900);
	cpus_do[1].regs.irqs_off = true;
	for (i = 2; i < 12; i++)
		check_at(1900 + 12 * i);
	nmi_at(2034);
	cpus_do[1].idle_seq = 3;
	check_at(2040);
	expect("an answer after most of the time, and the CPU is alive: paused",
	       newest()->end.state == STATE_PAUSED);

	start(2900);
	check_window(1)->begin_unseen = true;
	tick_at(3000);
	check_at(3000);
	expect("a CPU that is alive has seen the begin of its next window", !check_window(1)->begin_unseen);
	tick_at(3004);
	this_cpu = 1;
	at(3011);
	nmi_sample_self(3008 * MS, now_ns, &cpus_do[1].regs);
	check_at(3012);
	expect("a window that an NMI opened after the last check may still be open", window_began(check_window(1)));
}
