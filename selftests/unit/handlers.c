// SPDX-License-Identifier: GPL-2.0
/* What the file handlers counts. */
#include "../module/handlers/count.c"

static struct handlers_cpu counted;

static void begin_at(double ms, enum handler_kind kind, const char *id)
{
	at(ms);
	handlers_begin(&counted, kind, id, id, kind == HANDLER_SOFTIRQ ? NET_RX_SOFTIRQ : 0);
}

static void end_at(double ms, enum handler_kind kind, const char *id)
{
	at(ms);
	handlers_end(&counted, kind, id, NULL);
}

static const struct handler *row_of(enum handler_kind kind, const char *id)
{
	static const struct handler none;
	const struct handler *rows = kind < HANDLER_FUNCTIONS ? counted.interrupts : counted.functions;
	int i;

	for (i = 0; i < HANDLER_ROWS; i++)
		if (rows[i].id == id && rows[i].kind == kind)
			return &rows[i];
	return &none;
}

static void start_counting(void)
{
	start(0);
	this_cpu = 1;
	memset(&counted, 0, sizeof(counted));
	atomic_set(&handlers_lost, 0);
}

static void handlers(void)
{
	static char names[HANDLER_ROWS + 8][4];
	const char *rx = "NET_RX", *irq = "irq", *poll = "poll", *timer = "timer";
	struct handler copy;
	u64 total_ns = 0;
	int i;

	start_counting();
	at(10);
	handlers_raise(&counted, NET_RX_SOFTIRQ);
	at(12);
	handlers_raise(&counted, NET_RX_SOFTIRQ);
	begin_at(15, HANDLER_SOFTIRQ, rx);
	begin_at(17, HANDLER_IRQ, irq);
	end_at(20, HANDLER_IRQ, irq);
	end_at(25, HANDLER_SOFTIRQ, rx);
	expect_ms("a softirq is delayed from its first raise to its begin", 5, row_of(HANDLER_RAISED, rx)->total_ns);
	expect_ms("an interrupt counts its own time", 3, row_of(HANDLER_IRQ, irq)->total_ns);
	expect_ms("the interrupted softirq does not count that time", 7, row_of(HANDLER_SOFTIRQ, rx)->max_ns);
	end_at(30, HANDLER_SOFTIRQ, rx);
	expect("an end without a begin is ignored", row_of(HANDLER_SOFTIRQ, rx)->count == 1 && !counted.depth);

	start_counting();
	at(10);
	handlers_raise(&counted, NET_RX_SOFTIRQ);
	cpus_do[1].pending = BIT(NET_RX_SOFTIRQ);
	begin_at(12, HANDLER_SOFTIRQ, rx);
	end_at(13, HANDLER_SOFTIRQ, rx);
	cpus_do[1].pending = 0;
	begin_at(19, HANDLER_SOFTIRQ, rx);
	expect_ms("a softirq that is still pending when it begins: its next delay starts there", 2 + 7,
		  row_of(HANDLER_RAISED, rx)->total_ns);
	expect("both are counted, and nothing is raised now", row_of(HANDLER_RAISED, rx)->count == 2 &&
	       !counted.raised_ns[NET_RX_SOFTIRQ]);

	start_counting();
	at(10);
	handlers_begin(&counted, HANDLER_SOFTIRQ, current, rx, NET_RX_SOFTIRQ);
	begin_at(11, HANDLER_IRQ, irq);
	end_at(14, HANDLER_IRQ, irq);
	at(20);
	handlers_polled(&counted, poll);
	expect_ms("the first poll starts with the softirq, and does not count interrupts", 7, row_of(HANDLER_POLL, poll)->total_ns);
	at(21);
	handlers_polled(&counted, poll);
	expect_ms("the next poll starts where the last one ended", 8, row_of(HANDLER_POLL, poll)->total_ns);
	handlers_end(&counted, HANDLER_SOFTIRQ, current, NULL);
	handlers_raise(&counted, 0);
	handlers_begin(&counted, HANDLER_SOFTIRQ, current, timer, TIMER_SOFTIRQ);
	begin_at(22, HANDLER_IRQ, irq);
	handlers_polled(&counted, poll);
	expect("a poll in another softirq is not counted, and an interrupt with the number of a raised softirq ends no delay",
	       row_of(HANDLER_POLL, poll)->count == 2 && !row_of(HANDLER_RAISED, irq)->count);

	start_counting();
	begin_at(10, HANDLER_IRQ, irq);
	begin_at(12, HANDLER_TIMER, timer);
	end_at(13, HANDLER_IRQ, irq);
	end_at(14, HANDLER_TIMER, timer);
	expect("PREEMPT_RT: handlers may end in any order", row_of(HANDLER_IRQ, irq)->total_ns == 3 * MS &&
	       row_of(HANDLER_TIMER, timer)->total_ns == 2 * MS && !counted.depth);
	begin_at(20, HANDLER_TIMER, timer);
	end_at(19, HANDLER_TIMER, timer);
	expect_ms("a clock that jumps back is no time", 2, row_of(HANDLER_TIMER, timer)->total_ns);
	expect("the longest one is kept, with its end", row_of(HANDLER_TIMER, timer)->max_ns == 2 * MS &&
	       row_of(HANDLER_TIMER, timer)->max_end_ns == 14 * MS);
	expect("each call is in its bucket", row_of(HANDLER_TIMER, timer)->count == 2 &&
	       row_of(HANDLER_TIMER, timer)->buckets[0] == 1 && row_of(HANDLER_TIMER, timer)->buckets[11] == 1);
	begin_at(1000, HANDLER_HRTIMER, timer);
	end_at(3000000, HANDLER_HRTIMER, timer);
	expect("one function of two kinds has two rows", row_of(HANDLER_HRTIMER, timer)->count == 1);
	expect("the last bucket is open", row_of(HANDLER_HRTIMER, timer)->buckets[HANDLER_BUCKETS - 1] == 1);

	start_counting();
	for (i = 0; i < HANDLER_DEPTH; i++)
		begin_at(10 + i, HANDLER_TIMER, names[i]);
	begin_at(30, HANDLER_TIMER, timer);
	end_at(34, HANDLER_TIMER, timer);
	end_at(35, HANDLER_TIMER, names[3]);
	expect("too many begins without an end: all older ones are dropped, and counted",
	       atomic_read(&handlers_lost) == HANDLER_DEPTH && row_of(HANDLER_TIMER, timer)->total_ns == 4 * MS &&
	       !row_of(HANDLER_TIMER, names[3])->count);

	/* The raise has the smallest time of all. */
	start_counting();
	at(10);
	handlers_raise(&counted, NET_RX_SOFTIRQ);
	begin_at(10, HANDLER_SOFTIRQ, rx);
	end_at(110, HANDLER_SOFTIRQ, rx);
	for (i = 0; i < HANDLER_ROWS + 8; i++) {
		begin_at(1000 + 10 * i, HANDLER_VECTOR, names[i]);
		end_at(1001 + 11 * i, HANDLER_VECTOR, names[i]);
	}
	for (i = 0; i <= HANDLER_ROWS; i++)
		total_ns += counted.interrupts[i].total_ns;
	expect("more handlers than rows: a raise and the longest ones keep theirs",
	       row_of(HANDLER_RAISED, rx)->count == 1 && row_of(HANDLER_SOFTIRQ, rx)->count == 1 &&
	       row_of(HANDLER_VECTOR, names[HANDLER_ROWS + 7])->count == 1);
	expect("the others are in the last row", counted.interrupts[HANDLER_ROWS].count == 10 &&
	       total_ns == 100 * MS + (HANDLER_ROWS + 8) * (HANDLER_ROWS + 9) / 2 * MS);
	expect("a row can be read", handlers_read(&counted, row_of(HANDLER_SOFTIRQ, rx), &copy) &&
	       copy.total_ns == 100 * MS);
	counted.replaced.sequence++;
	expect("but not while it is replaced", !handlers_read(&counted, row_of(HANDLER_SOFTIRQ, rx), &copy));
}
