// SPDX-License-Identifier: GPL-2.0
/* Windows, their records, and what late ticks, checks and NMIs make of them. */
static void windows(void)
{
	struct window w = {
		.nr = 3, .of_idle = true, .announced = true, .irqs_on = true, .over_ns = 1, .asked_ns = 1,
		.paused_ns = 1,
	};
	u64 offset_ns;
	unsigned int i;

	start(1000);
	this_cpu = 1;
	window_open(&w, WINDOW_SOFTIRQ, 1000 * MS, 7);
	expect("a new window has nothing of the one before", !w.nr && !w.of_idle && !w.announced && !w.irqs_on &&
	       !w.over_ns && !w.asked_ns && !w.paused_ns && w.next_ns == 7);
	window_open(&w, WINDOW_HARDIRQ, 2000 * MS, 9);
	expect("a window that is open is not opened again", w.kind == WINDOW_SOFTIRQ && w.began_ns == 1000 * MS);
	for (offset_ns = 0; offset_ns < 30 * NSEC_PER_SEC; offset_ns += MS)
		if (window_wants(&w, offset_ns))
			window_sample(&w, w.began_ns, w.began_ns + offset_ns, STATE_SERVING, &cpus_do[1].regs);
	expect("30 s have at most eight samples", w.nr <= WINDOW_SAMPLES && w.nr >= 5);
	expect("the first two are 3 ms apart", w.samples[1].offset_ns - w.samples[0].offset_ns == 3 * MS);
	for (i = 3; i < w.nr; i++)
		if (w.samples[i].offset_ns - w.samples[i - 1].offset_ns < 30 * NSEC_PER_SEC / 10)
			break;
	expect("the others are spread over the window", i == w.nr);
	window_drop(&w);
	window_open(&w, WINDOW_SOFTIRQ, 1000 * MS, 0);
	for (offset_ns = 0; offset_ns <= 50 * MS; offset_ns += MS)
		if (window_wants(&w, offset_ns))
			window_sample(&w, w.began_ns, w.began_ns + offset_ns, STATE_SERVING, &cpus_do[1].regs);
	expect_ms("the third comes a quarter of the threshold after the second", 3 + 13, w.samples[2].offset_ns);
	expect_ms("one sample comes when the window reaches the threshold", 50, window_newest(&w, w.nr)->offset_ns);
	expect("a window that is closed twice is closed once",
	       window_close(&w, WINDOW_ENDING) == 1000 * MS && !window_close(&w, 0) && window_is_ending(&w));
}

static int nr_copies, early_copies;
static void count_copy(void) { nr_copies++; }

static u64 hardirq_latencies(void)
{
	struct histogram sum = {};

	histogram_read(1, WINDOW_HARDIRQ, &sum);
	return histogram_count(&sum);
}

static void overwrite(void)
{
	u64 first, end;

	recorder_range(&first, &end);
	slot_of(first)->tag.counter |= TAG_WRITING;
}

static void records(void)
{
	static struct record copy;
	struct recorder_counts counts;
	struct record_counts before, after;
	u64 first, end;
	int i;

	start(1000);
	for (i = 0; i < 2 * NR_SLOTS; i++)
		tick_late_at(1100 + 100 * i, 1004 + 100 * i);
	recorder_count(&counts);
	recorder_range(&first, &end);
	expect("the newest records are kept, and the others are counted", counts.kept == NR_SLOTS &&
	       counts.overwritten == NR_SLOTS && !counts.lost && end - first == NR_SLOTS);
	expect("a record that is overwritten while it is copied is not returned", recorder_read(first, &copy) &&
	       (between_loads = overwrite, !recorder_read(first, &copy)));
	between_loads = NULL;
	slot_of(first)->tag.counter &= ~TAG_WRITING;
	slot_of(end)->tag.counter |= TAG_WRITING;
	tick_late_at(20000, 19900);
	recorder_count(&counts);
	expect("a record whose slot a slow writer has is lost, and counted", counts.lost == 1);
	recorder_clear();
	recorder_count(&counts);
	expect("a clear counts from zero", !counts.lost && !counts.kept && !counts.overwritten);
	slot_of(end)->tag.counter &= ~TAG_WRITING;

	start(1000);
	record_count(WINDOW_HARDIRQ, &before);
	tick_at(1000);
	host_takes(60);
	tick_late_at(1100, 1004);
	record_count(WINDOW_HARDIRQ, &after);
	expect("time that the host took is in the record", newest()->steal_ns == 60 * MS);
	expect("a window of which the host took half is counted", after.stolen == before.stolen + 1);
	expect("so are its window and its length", after.windows == before.windows + 1 &&
	       after.latency_ns == before.latency_ns + 96 * MS && after.paused == before.paused);
	tick_at(1104);
	before = after;
	host_takes(20);
	tick_at(1108);
	tick_late_at(1208, 1112);
	record_count(WINDOW_HARDIRQ, &after);
	expect("time that it took before the window is not", !newest()->steal_ns && after.stolen == before.stolen);
	host_takes(70);
	tick_at(1212);
	record_count(WINDOW_HARDIRQ, &after);
	expect("time that the kernel accounts at the next tick is added", newest()->steal_ns == 70 * MS &&
	       after.stolen == before.stolen + 1);
	tick_late_at(1312, 1216);
	host_takes(80);
	tick_late_at(1350, 1316);
	expect("unless that tick is late, too", !newest()->steal_ns);

	start(1000);
	check_at(1000);
	tick_at(1004);
	check_at(1008);
	host_takes(50);
	check_at(1020);
	check_at(1040);
	tick_late_at(1100, 1008);
	expect("nor is time that was accounted after the last tick, before a check found the CPU stuck",
	       nr_records() == 1 && !newest()->steal_ns);

	start(1000);
	check_window(1)->begin_unseen = true;
	tick_late_at(1100, 1004);
	expect("an unseen begin: the upper bound is not known", newest()->begin_unseen &&
	       newest()->max_ns == newest()->latency_ns);
	tick_late_at(1200, 1104);
	expect("the begin of the next window is seen", !newest()->begin_unseen);
	check_at(1200);
	check_at(1212);
	check_window(1)->begin_unseen = true;
	tick_late_at(1300, 1204);
	expect("the same after a window that a check opened", nr_records() == 3 && newest()->begin_unseen &&
	       !check_window(1)->begin_unseen);
}

static void hardirqs(void)
{
	struct record_counts counts;
	u64 counted, paused;
	int i;

	start(1000);
	for (i = 0; i < 5; i++) {
		tick_at(1100 + 200 * i);
		tick_late_at(1200 + 200 * i, 1104 + 200 * i);
	}
	expect("windows that no check has opened: each has a record, and both events",
	       nr_records() == 5 && nr_window_events == 5 && nr_window_open_events == 5);
	expect_ms("the lower bound begins when the tick was due", 96, newest()->latency_ns);
	expect_ms("the upper bound begins at the tick before", 100, newest()->max_ns);

	counted = hardirq_latencies();
	this_cpu = 1;
	at(2250);
	tick(now_ns, 2104 * MS, 2090 * MS);
	expect_ms("a CPU that has left idle since its last tick: the upper bound begins there", 160, newest()->max_ns);
	counted++;

	tick_late_at(2300, 2204);
	tick_late_at(2300.1, 2204);
	expect("a second tick in the same interrupt is on time", nr_records() == 7);
	expect("each tick is counted once", hardirq_latencies() == counted + 2);

	start(1000);
	tick_at(1000);
	check_at(1000);
	check_at(1004.9);
	expect("a tick that is late by less than 1 ms is not missed", !nr_nmis);

	stuck_after(1000);
	tick_late_at(1013, 1004);
	cpus_do[1].regs.irqs_off = true;
	check_at(1024);
	check_at(1036);
	nmi_at(1037);
	expect("an NMI that was requested for an earlier window adds no sample",
	       window_began(check_window(1)) && !check_window(1)->nr);
	window_drop(check_window(1));
	window_open(check_window(1), WINDOW_HARDIRQ, 1100 * MS, 0);
	per_cpu(tick_cpus, 1).ran_ns = 1110 * MS;
	this_cpu = 1;
	at(1120);
	nmi_sample_self(1100 * MS, now_ns, &cpus_do[1].regs);
	expect("a CPU that has ticked since the begin gets no sample", !check_window(1)->nr);
	per_cpu(tick_cpus, 1).ran_ns = 1090 * MS;
	nmi_sample_self(1100 * MS, now_ns, &cpus_do[1].regs);
	nmi_sample_self(1100 * MS, now_ns + MS, &cpus_do[1].regs);
	expect("a sample is taken when it is due, not before", check_window(1)->nr == 1);

	stuck_after(1000);
	cpus_do[1].regs.irqs_off = true;
	expect("a CPU that missed a tick gets an NMI and an IPI", nr_nmis == 1 && nr_ipis == 1);
	nmi_at(1012.1);
	between_loads = count_copy;
	for (i = 0; i < 20; i++) {
		check_at(1024 + 12 * i);
		if (now_ns < (1004 + 50) * MS)
			early_copies = nr_copies;
		nmi_at(1024.1 + 12 * i);
	}
	between_loads = NULL;
	expect("checks copy the window once it has reached the threshold", !early_copies && nr_copies);
	expect("no second IPI is sent", nr_ipis == 1);
	expect("window_open is fired while the window is open", nr_window_open_events == 1 && !nr_window_events);
	tick_late_at(1270, 1004);
	expect("its late tick makes the record, with the samples",
	       nr_records() == 1 && newest()->nr_samples > 3 && newest()->kind == WINDOW_HARDIRQ);
	expect("quick answers are no pause", !newest()->paused_ns && newest()->end.state == STATE_IRQ_OFF);
	expect("no event is fired twice", nr_window_open_events == 1 && nr_window_events == 1);

	record_count(WINDOW_HARDIRQ, &counts);
	paused = counts.paused;
	stuck_after(1000);
	cpus_do[1].regs.irqs_off = true;
	nmi_at(1150);
	tick_late_at(1160, 1004);
	expect_ms("an answer that comes late measures the pause", 138, newest()->paused_ns);
	expect("a pause of most of the window is its state", newest()->end.state == STATE_PAUSED);
	record_count(WINDOW_HARDIRQ, &counts);
	expect("and is counted", counts.paused == paused + 1);

	/* As in the NMIs of a cycle counter. */
	start(1000);
	tick_at(1000);
	cpus_do[1].regs.irqs_off = true;
	for (i = 0; i < 30; i++) {
		this_cpu = 1;
		at(1010 + 5 * i);
		nmi_sample_self(1004 * MS, now_ns, &cpus_do[1].regs);
	}
	tick_late_at(1170, 1004);
	expect("an NMI without a request measures no pause",
	       newest()->nr_samples > 3 && !newest()->paused_ns && newest()->end.state == STATE_IRQ_OFF);

	stuck_after(1000);
	nmi_at(1012.1);
	check_at(1090);
	tick_late_at(1100, 1004);
	expect("after an NMI that found interrupts on, no other NMI is sent", nr_nmis == 1);
	expect("interrupts that were on although the tick was due: irq-on, without samples",
	       newest()->end.state == STATE_IRQ_ON && !newest()->nr_samples);
}
