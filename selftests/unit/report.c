// SPDX-License-Identifier: GPL-2.0
/* The headings of trace_latency, and which records stand below them. */
struct file;
struct seq_file { void *private; char text[512]; size_t count, index; };
struct seq_operations {
	void *(*start)(struct seq_file *m, loff_t *pos);
	void *(*next)(struct seq_file *m, void *v, loff_t *pos);
	void (*stop)(struct seq_file *m, void *v);
	int (*show)(struct seq_file *m, void *v);
};

#define seq_printf(m, ...) \
	((m)->count += snprintf((m)->text + (m)->count, sizeof((m)->text) - (m)->count, __VA_ARGS__))
#define seq_puts(m, from) seq_printf(m, "%s", from)
#define seq_open_private(file, operations, size) 0
#define ERR_PTR(error) ((void *)(long)(error))
#define GFP_KERNEL 0
#define kvmalloc_array(n, size, flags) calloc(n, size)
#define kvfree(p) free(p)
#define sort(keys, nr, size, compare, swap) qsort(keys, nr, size, compare)
#define kstrtou64(text, base, to) (*(to) = strtoull(text, NULL, base), 0)
#define S64_MAX INT64_MAX
#define KSYM_SYMBOL_LEN 512

void symbols_lock(void) { }
void symbols_unlock(void) { }
void text_show_setting(struct seq_file *m, u64 ns) { seq_printf(m, "%d", (int)(ns / MS)); }
void print_stop(struct seq_file *m, void *v) { }
void print_record_line(struct seq_file *m, const struct record *record) { }
void print_record(struct seq_file *m, const struct record *record) { seq_printf(m, "#%d\n", (int)record->seq); }
const char *print_kind(enum window_kind kind) { return ((const char *[]) { "hardirq", "softirq", "nosched" })[kind]; }

#include "../module/show/report.c"

static void add_record(enum window_kind kind, int cpu)
{
	struct record *record = recorder_begin();

	record->kind = kind;
	record->cpu = cpu;
	recorder_commit(record);
}

/* What trace_latency prints, from position @from on. Record @gone is overwritten after the begin; 0: none. */
static const char *trace_latency(loff_t from, u64 gone)
{
	static struct report report;
	static struct seq_file m;
	loff_t pos = 0;
	void *v;

	memset(m.text, 0, sizeof(m.text));
	m.count = 0;
	m.private = &report;
	v = trace_latency_ops.start(&m, &pos);
	slot_of(gone)->tag.counter |= TAG_WRITING;
	while (v) {
		if (pos >= from)
			trace_latency_ops.show(&m, v);
		v = trace_latency_ops.next(&m, v, &pos);
	}
	slot_of(gone)->tag.counter &= ~TAG_WRITING;
	return m.text;
}

static void reports(void)
{
	static struct report report;
	struct seq_file m = { .private = &report };
	loff_t pos = 0;

	start(1000);
	expect("without records, trace_latency has the headings of all kinds",
	       !strcmp(trace_latency(0, 0), "trace_irqoff_latency: 50\n\n hardirq:\n\n softirq:\n\n nosched:\n"));
	atomic64_set(&last_seq, 0);
	atomic64_set(&nr_done, 0);
	memset(slots, 0, NR_SLOTS * sizeof(*slots));
	recorder_clear();
	add_record(WINDOW_NOSCHED, 3);
	add_record(WINDOW_HARDIRQ, 3);
	add_record(WINDOW_HARDIRQ, 0);
	add_record(WINDOW_HARDIRQ, 3);
	expect("records are sorted by kind, CPU and time; a kind without records has a heading",
	       !strcmp(trace_latency(0, 0), "trace_irqoff_latency: 50\n\n hardirq:\n cpu: 0\n#3\n cpu: 3\n#2\n#4\n"
		       "\n softirq:\n\n nosched:\n cpu: 3\n#1\n"));
	expect("a read that goes on prints no heading twice",
	       !strcmp(trace_latency(2, 0), "#4\n\n softirq:\n\n nosched:\n cpu: 3\n#1\n"));
	expect("a record that is overwritten meanwhile is left out",
	       !strcmp(trace_latency(0, 2), "trace_irqoff_latency: 50\n\n hardirq:\n cpu: 0\n#3\n cpu: 3\n#4\n"
		       "\n softirq:\n\n nosched:\n cpu: 3\n#1\n"));
	while (records_ops.start(&m, &pos))
		m.index = ++pos;
	expect("when all records were read, records has no news", pos == 5 && !report_has_records(&m));
	report_skip_records(&m, "2");
	expect("but it has after a write that begins anew behind an older record, before the next read",
	       report_has_records(&m));
	m.count = 1;
	report_skip_records(&m, "4");
	expect("it has none behind the newest record, although a part of a line was not read",
	       !report_has_records(&m));
}
