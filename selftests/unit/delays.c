// SPDX-License-Identifier: GPL-2.0
/* Softirq and nosched windows, which ticks find. */
static void softirqs(void)
{
	static const u64 sampled_ms[WINDOW_SAMPLES] = { 28, 32, 48, 52, 68 };
	struct histogram sum = {};
	double ms;
	int i;

	start(1000);
	for (ms = 1004; ms < 1100; ms += 4) {
		tick_at(ms);
		if (ms == 1020)
			handler(true, NET_RX_SOFTIRQ);
	}
	handler(false, 0);
	soft_timer_at(1100);
	expect("a handler that runs on is a softirq window", nr_records() == 1 && newest()->kind == WINDOW_SOFTIRQ);
	expect_ms("it begins at the first tick in the handler", 1100 - 1024, newest()->latency_ns);
	expect_ms("its upper bound at the tick before", 1100 - 1020, newest()->max_ns);
	expect("all samples were taken while it served", newest()->nr_samples > 3 &&
	       newest()->samples[0].state == STATE_SERVING);
	/* Each at the first tick after it is due */
	for (i = 0; i < newest()->nr_samples && newest()->samples[i].offset_ns == sampled_ms[i] * MS; i++)
		;
	expect("a sample at half of the threshold, 3 ms later, then each quarter of the threshold, and at the threshold",
	       i == 5 && newest()->nr_samples == 5);

	handler(true, NET_RX_SOFTIRQ);
	tick_at(1104);
	tick_at(1108);
	tick_at(1200);
	handler(false, 0);
	soft_timer_at(1201);
	expect_ms("the upper bound of the next window begins at the end of this one", 1201 - 1100, newest()->max_ns);

	start(1000);
	tick_at(1004);
	handler(true, NET_RX_SOFTIRQ);
	cpus_do[1].pending = BIT(TIMER_SOFTIRQ);
	tick_at(1008);
	expect("if another softirq waits, the first tick in a handler opens the window",
	       window_began(softirqs_window(1)) == 1008 * MS);

	start(1000);
	histogram_clear();
	tick_at(1004);
	handler(true, NET_RX_SOFTIRQ);
	tick_at(1008);
	histogram_read(1, WINDOW_SOFTIRQ, &sum);
	expect("only a tick outside of handlers counts as one that found softirqs free to run", sum.buckets[0] == 1);
	tick_late_at(1108, 1012);
	expect("interrupts off before the second tick in a handler: that time does not count",
	       window_began(softirqs_window(1)) == (1008 + 96) * MS);

	/* At 1104, softirqs are being served, and the first handler has not begun yet. */
	start(1000);
	tick_at(1004);
	handler(true, TIMER_SOFTIRQ);
	tick_at(1008);
	handler(false, 0);
	for (ms = 1012; ms < 1104; ms += 4)
		tick_at(ms);
	cpus_do[1].in_softirq = true;
	tick_at(1104);
	handler(false, 0);
	soft_timer_at(1104.1);
	tick_at(1108);
	expect("ticks in two runs of softirqs, with free ticks between them, are no window", nr_records() == 0 &&
	       !window_began(softirqs_window(1)));

	start(1000);
	tick_at(1004);
	cpus_do[1].bh_off = true;
	for (ms = 1008; ms < 1100; ms += 4)
		tick_at(ms);
	host_takes(60);
	cpus_do[1].bh_off = false;
	soft_timer_at(1099);
	expect_ms("a task turns softirqs off: from the first tick on", 1099 - 1008, newest()->latency_ns);
	expect("its state is bh-off", newest()->samples[0].state == STATE_BH_OFF);
	expect("time that the host took is in the record", newest()->steal_ns == 60 * MS);

	start(1000);
	cpus_do[1].bh_off = true;
	tick_at(1004);
	tick_at(1028);
	tick_late_at(1132, 1032);
	expect("a tick that ends a window with interrupts off takes no sample for a softirq window",
	       nr_records() == 1 && !softirqs_window(1)->nr);
	start(1000);
	cpus_do[1].task = &cpus_do[1].idle;
	cpus_do[1].in_softirq = true;
	nr_checked = 1;
	tick_at(1004);
	expect("a softirq window of an idle CPU is marked as idle", softirqs_window(1)->of_idle);

	/* The last tick before tracing was disabled has recorded a window with interrupts off. */
	start(1000);
	cpus_do[1].bh_off = true;
	tick_at(1004);
	tick_late_at(1108, 1008);
	this_cpu = 1;
	softirqs_start(now_ns);
	host_takes(60);
	soft_timer_at(1168);
	expect("tracing starts while softirqs are off: time that the host took is in the record",
	       newest()->begin_unseen && newest()->steal_ns == 60 * MS);

	/* Before 6.0, a tick looks itself. It counts no hardirq latency, which may mean nothing. */
	start(1000);
	histogram_clear();
	idle_now = false;
	tick_at(1004);
	cpus_do[1].task = &cpus_do[1].idle;
	handler(true, NET_RX_SOFTIRQ);
	tick_at(1008);
	tick_at(1012);
	expect("before 6.0, a tick finds softirqs of the idle task", softirqs_are_of_idle(1));
	idle_now = true;
	sum = (struct histogram) {};
	histogram_read(1, WINDOW_SOFTIRQ, &sum);
	expect("that takes away no tick that found softirqs free to run", sum.buckets[0] == 1);

	start(1000);
	tick_at(1004);
	cpus_do[1].bh_off = true;
	tick_at(1008);
	cpus_do[1].regs.irqs_off = true;
	check_at(1008);
	check_at(1020);
	host_takes(60);
	tick_late_at(1108, 1012);
	tick_at(1112);
	cpus_do[1].bh_off = false;
	soft_timer_at(1172);
	expect("interrupts off inside: both windows have a record", nr_records() == 2);
	expect_ms("and no time counts twice", 1172 - 1008 - 96, newest()->latency_ns);
	expect("time that the host took counts in the hardirq window only", !newest()->steal_ns);
}

/* A tick each 4 ms */
static void ticks(double from, double to)
{
	for (; from <= to; from += 4)
		tick_at(from);
}

/* The task of CPU 1 should leave it. */
static void start_delay(void)
{
	start(1000);
	settings.threshold_ns = 10 * MS;
	cpus_do[1].resched = true;
}

static void nosched(void)
{
	struct histogram sum = {};
	u64 changes;
	double ms;

	start_delay();
	ticks(1004, 1024);
	cpus_do[1].resched = false;
	tick_at(1028);
	expect("a task that should leave is a nosched window", nr_records() == 1 && newest()->kind == WINDOW_NOSCHED);
	expect_ms("from the first to the last tick that found the flag", 20, newest()->latency_ns);
	expect_ms("its upper bound from tick to tick around these", 28, newest()->max_ns);
	host_takes(20);
	tick_at(1032);
	expect("time that the kernel accounts at the next tick is not in the record", !newest()->steal_ns);

	start_delay();
	for (ms = 1004; ms < 1104; ms += 4) {
		task.nivcsw++;
		tick_at(ms);
	}
	cpus_do[1].resched = false;
	tick_at(1104);
	expect("a task that leaves and returns between ticks is no window", nr_records() == 0);

	start_delay();
	ticks(1004, 1024);
	cpus_do[1].bh_off = true;
	ticks(1028, 1064);
	cpus_do[1].bh_off = false;
	soft_timer_at(1065);
	expect_ms("softirqs off inside: the softirq window", 1065 - 1028, newest()->latency_ns);
	cpus_do[1].resched = false;
	tick_at(1068);
	expect("both windows have a record", nr_records() == 2 && newest()->kind == WINDOW_NOSCHED);
	expect("and no time counts twice", newest()->latency_ns <= 24 * MS);

	start(1000);
	cpus_do[1].resched = true;
	ticks(1004, 1052);
	handler(true, NET_RX_SOFTIRQ);
	ticks(1056, 1116);
	handler(false, 0);
	soft_timer_at(1119.7);
	cpus_do[1].resched = false;
	tick_at(1120);
	expect("a softirq record at its end: what came before has a record, too", nr_records() == 2 &&
	       newest()->kind == WINDOW_NOSCHED && nr_window_open_events == nr_window_events);
	expect_ms("all of it counts", 1056 - 1004, newest()->latency_ns);

	start_delay();
	histogram_clear();
	changes = announce_nr_changes();
	tick_at(1004);
	tick_late_at(1104, 1008);
	tick_at(1108);
	cpus_do[1].resched = false;
	tick_late_at(1113, 1112);
	expect("interrupts off inside: that time counts there", nr_records() == 1 && newest()->kind == WINDOW_HARDIRQ);
	expect("a window that was not announced is no change of those that are", announce_nr_changes() == changes + 1);
	histogram_read(1, WINDOW_HARDIRQ, &sum);
	expect_ms("the longest latency is kept, not the last", 96, sum.max_ns);
	sum = (struct histogram) {};
	histogram_clear();
	tick_at(1116);
	tick_at(1120);
	histogram_read(1, WINDOW_HARDIRQ, &sum);
	expect("distribute counts latencies of a period and more", !sum.distribute[0] && sum.max_ns < 10 * MS);

	start_delay();
	other.nivcsw = task.nivcsw;
	for (ms = 1004; ms <= 1100; ms += 4) {
		cpus_do[1].task = (int)ms / 4 % 2 ? &task : &other;
		tick_at(ms);
	}
	cpus_do[1].resched = false;
	tick_at(1104);
	expect("tasks that take turns make no window", nr_records() == 0);

	start_delay();
	ticks(1004, 1024);
	cpus_do[1].bh_off = true;
	ticks(1028, 1064);
	cpus_do[1].resched = false;
	tick_at(1068);
	expect("softirqs are still off at its end: that time counts there", newest()->kind == WINDOW_NOSCHED &&
	       newest()->latency_ns <= 24 * MS);

	start(1000);
	cpus_do[1].resched = true;
	ticks(1004, 1024);
	settings.threshold_ns = 10 * MS;
	cpus_do[1].resched = false;
	tick_at(1028);
	expect("a threshold that was just lowered: no record without a sample", nr_records() == 0);

	/* 20 ms in the task, then 40 ms in a handler: neither alone reaches the threshold, nor half of it first. */
	start(1000);
	cpus_do[1].resched = true;
	ticks(1004, 1024);
	handler(true, NET_RX_SOFTIRQ);
	ticks(1028, 1064);
	handler(false, 0);
	soft_timer_at(1065);
	expect("softirqs below the threshold have no record", nr_records() == 0);
	cpus_do[1].resched = false;
	tick_at(1068);
	expect("their time counts for the task that they keep: a nosched window with a record", nr_records() == 1 &&
	       newest()->kind == WINDOW_NOSCHED && newest()->nr_samples == 1);
	expect_ms("from the first to the last tick that found the flag, with softirqs", 60, newest()->latency_ns);

	start(1000);
	cpus_do[1].resched = true;
	ticks(1004, 1024);
	handler(true, NET_RX_SOFTIRQ);
	ticks(1028, 1084);
	handler(false, 0);
	soft_timer_at(1085);
	ticks(1088, 1144);
	cpus_do[1].resched = false;
	tick_at(1148);
	expect("softirqs that have a record: the other record has no sample of them", nr_records() == 2 &&
	       newest()->kind == WINDOW_NOSCHED && newest()->samples[0].at_ns == 1088 * MS);

	start(1000);
	cpus_do[1].resched = true;
	cpus_do[1].task = &cpus_do[1].idle;
	this_cpu = 1;
	nosched_start(now_ns);
	expect("the idle task keeps no task from its CPU", !window_began(nosched_window(1)));
}
