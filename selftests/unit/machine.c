// SPDX-License-Identifier: GPL-2.0
/*
 * A machine for the tests: CPU 1 is watched, and CPU 0 checks it. Times are in ms. The other two CPUs are
 * monitored in watch.c only.
 */
static bool ipi_was_sent[NR_CPUS];
static int nr_ipis;
void ipi_send(int cpu)
{
	ipi_was_sent[cpu] = true;
	nr_ipis++;
}

bool ipi_is_pending(void) { return cpus_do[this_cpu].ipi_waits; }

#include "../module/record/sample.c"
#include "../module/record/window.c"
#include "../module/record/histogram.c"
#include "../module/record/recorder.c"
#include "../module/record/announce.c"
#include "../module/record/record.c"
#include "../module/detect/nosched.c"
#include "../module/detect/softirqs.c"
#include "../module/detect/nmi.c"
#include "../module/detect/check.c"
#include "../module/detect/watch.c"
#include "../module/detect/tick.c"

#define MS NSEC_PER_MSEC
#define NR_SLOTS 64

struct settings settings;
static struct group group;
static struct task_struct task = { .pid = 7, .tgid = 7, .comm = "task" };
static struct task_struct other = { .pid = 8, .tgid = 8, .comm = "other" };
static int nr_tests, nr_failed, nr_nmis;

void nmi_arch_send(int cpu) { nr_nmis++; }
int nmi_arch_init(void) { return 0; }
void nmi_arch_exit(void) { }
const char *nmi_arch_risk(void) { return NULL; }

static void expect(const char *words, bool holds)
{
	printf("%s %d %s\n", holds ? "ok" : "not ok", ++nr_tests, words);
	nr_failed += !holds;
}

static void expect_ms(const char *words, double want, u64 ns)
{
	expect(words, ns == (u64)(want * MS + 0.5));
	if (ns != (u64)(want * MS + 0.5))
		printf("# expected %g ms, but saw %g ms\n", want, (double)ns / MS);
}

static unsigned int nr_records(void)
{
	struct recorder_counts counts;

	recorder_count(&counts);
	return counts.kept;
}

/* The newest record */
static const struct record *newest(void)
{
	static struct record record;

	memset(&record, 0, sizeof(record));
	recorder_read(atomic64_read(&last_seq), &record);
	return &record;
}

static void at(double ms)
{
	now_ns = ms * MS + 0.5;
}

/* @nr CPUs are busy from @ms on, all else is as after load, and there are no records. */
static void start_cpus(double ms, int nr)
{
	int cpu, i;

	at(ms);
	settings = (struct settings) {
		.period_ns = 10 * MS, .timer_ns = 10 * MS, .threshold_ns = 50 * MS,
		.late_ns = NSEC_PER_MSEC / 2, .check_ns = 12 * MS, .slow_check_ns = 50 * MS,
		.nosched = true,
	};
	recorder_clear();
	nr_window_open_events = nr_window_events = nr_nmis = nr_ipis = 0;
	group = (struct group) {
		.nr_cpus = nr, .cpus = { 0, 1, 2, 3 }, .next = &group, .silent_from_ns = U64_MAX,
	};
	for (i = 0; i < NR_WATCHERS; i++)
		group.watchers[i].cpu = NO_CPU;
	nr_checked = 0;
	memset(cpus_do, 0, sizeof(cpus_do));
	for (cpu = 0; cpu < nr; cpu++) {
		this_cpu = cpu;
		cpus_do[cpu].task = &task;
		cpus_do[cpu].idle_seq = 1;
		per_cpu(tick_cpus, cpu) = (struct tick_cpu) {
			.running = true, .position = cpu, .ran_ns = now_ns, .interval_ns = TICK_NSEC,
			.group = &group,
		};
		memset(per_cpu_ptr(nmi_cpus, cpu), 0, sizeof(struct nmi_cpu));
		memset(&per_cpu(kstat, cpu), 0, sizeof(struct kernel_stat));
		this_cpu_ptr(softirqs_cpus)->ksoftirqd = &other;
		softirqs_start(now_ns);
		nosched_start(now_ns);
		check_add(cpu, now_ns);
	}
	nmi_mode = 1;
	registered = true;
	nmi_enable(true);
}

/* CPU 1 is busy from @ms on, and CPU 0 checks it. */
static void start(double ms)
{
	start_cpus(ms, 2);
}

/* A timer interrupt of CPU 1 that was due at @due_ms */
static void tick_late_at(double ms, double due_ms)
{
	this_cpu = 1;
	at(ms);
	tick(now_ns, due_ms * MS, 0);
}

static void tick_at(double ms)
{
	tick_late_at(ms, ms);
}

static void check_at(double ms)
{
	struct check check;

	this_cpu = 0;
	at(ms);
	check_cpus(&check, &group, 0);
	check_finish(&check);
}

/* CPU 1 is busy and ticks at @ms, but not 4 ms later. The second check requests a sample. */
static void stuck_after(double ms)
{
	start(ms);
	tick_at(ms);
	check_at(ms);
	check_at(ms + 12);
}

/* An NMI answers the request on CPU 1, if there is one. */
static void nmi_at(double ms)
{
	this_cpu = 1;
	at(ms);
	nmi_answer(&cpus_do[1].regs);
}

static void soft_timer_at(double ms)
{
	this_cpu = 1;
	at(ms);
	if (this_cpu_ptr(softirqs_cpus)->timer.queued) {
		this_cpu_ptr(softirqs_cpus)->timer.queued = false;
		softirqs_timer_fn(&this_cpu_ptr(softirqs_cpus)->timer);
	}
}

/* Stolen time of CPU 1, as the kernel accounts it */
static void host_takes(double ms)
{
	per_cpu(kernel_cpustat, 1).cpustat[CPUTIME_STEAL] += ms * MS;
}

static void handler(bool runs, int vector)
{
	cpus_do[1].in_softirq = runs;
	if (runs)
		per_cpu(kstat, 1).softirqs[vector]++;
}
