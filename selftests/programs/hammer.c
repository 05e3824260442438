// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * hammer SECONDS [records]: 8 processes write to all files of /proc/trace_irqoff, 8 read them, and
 * 4 make windows, all at the same time. With "records", the readers read only that file, and no
 * process writes. A file that does not exist is no error: the module may be reloaded meanwhile.
 * Exit status: 1 if a record was wrong, or a kind of access never succeeded.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DIRECTORY	"/proc/trace_irqoff/"
#define INJECT		"/proc/irqoff_inject"
#define NR_WRITERS	8
#define NR_READERS	8
#define NR_MAKERS	4
#define NR_WRITABLE	5	/* files */
#define NR_HELD		4	/* files that a reader keeps open */
#define READ_MAX	70000	/* bytes */
#define LINE_MAX_READ	65536
#define PATIENCE_S	30
#define WINDOW_US	25000	/* short, so that there are many records to read */
#define RECORDS_WINDOW_US 3100	/* with "records" */
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

/* The first NR_WRITABLE files can be written. */
static const struct {
	const char *name;
	const char *texts[4];
} files[] = {
	{ "enable", { "1", "0", "on", "maybe" } },
	{ "sampling_period", { "10ms", "1ms", "20ms", "0" } },
	{ "trace_latency", { "0", "50ms", "2ms", "-1" } },
	{ "cpus", { "0", "0-1", "1", "x" } },
	{ "nosched", { "1", "0", "on", "maybe" } },
	{ .name = "distribute" }, { .name = "records" }, { .name = "histogram" },
	{ .name = "status" }, { .name = "active" },
};

/* By kind of window: the first letter of the maker's name, and the function in the stacks. */
static const struct maker {
	char letter;
	const char *kind;
	const char *frame;
} makers[] = {
	{ 'h', "hardirq", "inject_hardirq[" },
	{ 's', "spinlock", "inject_spinlock[" },
	{ 'b', "bh", "inject_bh[" },
};

/* Shared by all processes. @marked: lines with the name of a maker. */
static struct counts {
	unsigned long long writes, refused, reads, lines, marked, wrong;
} *counts;

static bool only_records;
static unsigned int process_number;	/* of the writers, the readers or the makers, from 0 */
static unsigned long long random_state;

static unsigned int draw(unsigned int below)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return (unsigned int)((random_state * 0x2545f4914f6cdd1dULL) >> 33) % below;
}

static void count_one(unsigned long long *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static int open_file(const char *name, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), DIRECTORY "%s", name);
	return open(path, flags | O_CLOEXEC);
}

static void write_forever(void)
{
	for (;;) {
		unsigned int i = draw(NR_WRITABLE), left = 1 + draw(4);
		const char *text = files[i].texts[draw(4)];
		int fd = open_file(files[i].name, O_WRONLY);

		if (fd < 0) {
			usleep(1000);
			continue;
		}
		while (left--) {
			count_one(&counts->writes);
			if (write(fd, text, strlen(text)) < 0)
				count_one(&counts->refused);
		}
		close(fd);
	}
}

/*
 * The makers alternate in kind and CPU, and have both and their pid in their names: "h1.4711" keeps
 * interrupts off on CPU 1. A record that does not agree with the name in it is a mix of two.
 */
static void make_windows(void)
{
	const struct maker *maker = &makers[process_number % ARRAY_SIZE(makers)];
	unsigned int cpu = process_number % sysconf(_SC_NPROCESSORS_ONLN);
	char name[16], line[64];
	cpu_set_t cpus;
	int fd;

	/* Take the name only after moving: it has the CPU. */
	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	snprintf(name, sizeof(name), "%c%u.%d", maker->letter, cpu, getpid());
	prctl(PR_SET_NAME, name);

	snprintf(line, sizeof(line), "%s %u %u", maker->kind,
		 only_records ? RECORDS_WINDOW_US : WINDOW_US, cpu);
	for (;;) {
		fd = open(INJECT, O_WRONLY | O_CLOEXEC);
		if (fd < 0 || write(fd, line, strlen(line)) < 0)
			usleep(1000);
		close(fd);
	}
}

/* Return: whether fields of a record of @cpu come from another record. Changes the line. */
static bool is_mixed(char *line, unsigned int cpu)
{
	const char *comm = strstr(line, " comm=");
	int pid, tgid, named_pid;
	unsigned int named_cpu;
	bool marked = false;
	char letter, *stack;
	size_t i;

	if (comm && sscanf(comm, " comm=%c%u.%d pid=%d tgid=%d", &letter, &named_cpu, &named_pid,
			   &pid, &tgid) == 5 && strchr("hsb", letter)) {
		count_one(&counts->marked);
		marked = true;
		if (pid != named_pid || tgid != pid || cpu != named_cpu)
			return true;
	}

	/* The stack of @comm: the end of a hardirq window, the first sample of another window. */
	stack = strstr(line, strstr(line, " kind=hardirq ") ? " stack=" : " sample=");
	if (!stack)
		return false;
	stack[1 + strcspn(stack + 1, " ")] = '\0';
	/* Only makers are in these functions, each in the function of its kind. */
	for (i = 0; i < ARRAY_SIZE(makers); i++)
		if (strstr(stack, makers[i].frame) && !(marked && letter == makers[i].letter))
			return true;
	return false;
}

/* Return: the number of the record; @last if the line is wrong. */
static unsigned long long check_line(const char *line, unsigned long long last)
{
	static char copy[LINE_MAX_READ];
	unsigned long long number;
	unsigned int cpu;
	int length = 0;

	count_one(&counts->lines);
	memcpy(copy, line, strlen(line) + 1);
	if (sscanf(line, "seq=%llu kind=%*1[hsn]%*[a-z] cpu=%u end=%n", &number, &cpu,
		   &length) == 2 && length && strstr(line, " stack=") && number > last &&
	    !is_mixed(copy, cpu))
		return number;
	count_one(&counts->wrong);
	printf("after record %llu: %.1000s\n", last, line);
	fflush(stdout);
	return last;
}

/* Read the file from the beginning, in small pieces: its lines must be whole and in order. */
static void read_records(void)
{
	static char line[LINE_MAX_READ];
	unsigned long long last = 0;
	char buffer[8192];
	size_t length = 0;
	ssize_t n, i;
	int fd = open_file("records", O_RDONLY);

	while (fd >= 0 && (n = read(fd, buffer, 1 + draw(sizeof(buffer)))) > 0) {
		count_one(&counts->reads);
		for (i = 0; i < n; i++) {
			if (buffer[i] == '\n') {
				line[length] = '\0';
				length = 0;
				last = check_line(line, last);
			} else if (length < sizeof(line) - 1) {
				line[length++] = buffer[i];
			}
		}
	}
	/* An unload may cut off the last line. */
	close(fd);
}

static off_t draw_offset(void)
{
	switch (draw(4)) {
	case 0:
		return draw(64);
	case 1:
		return draw(1 << 20);
	case 2:
		return (off_t)1 << draw(63);
	}
	return INT64_MAX - draw(READ_MAX);
}

/* Read in pieces of odd sizes, at odd offsets. */
static void read_pieces(int fd)
{
	static char buffer[READ_MAX];
	int left = 1 + draw(8);

	while (left--) {
		size_t size = 1 + draw(draw(2) ? 64 : READ_MAX);
		ssize_t n = 0;

		switch (draw(4)) {
		case 0:
			n = pread(fd, buffer, size, draw_offset());
			break;
		case 1:
			lseek(fd, draw_offset(), draw(3));
			break;
		default:
			n = read(fd, buffer, size);
		}
		count_one(&counts->reads);
		if (n < 0 && errno == ENODEV)
			return;
	}
}

/* Files stay open for long, also while the module is unloaded and loaded again. */
static void read_forever(void)
{
	int held[NR_HELD];
	int i;

	memset(held, -1, sizeof(held));
	for (;;) {
		if (only_records || !draw(4)) {
			read_records();
			continue;
		}
		i = draw(NR_HELD);
		if (held[i] < 0 || !draw(4)) {
			close(held[i]);
			held[i] = open_file(files[draw(ARRAY_SIZE(files))].name, O_RDONLY);
		}
		if (held[i] < 0)
			usleep(1000);
		else
			read_pieces(held[i]);
	}
}

static void start_processes(pid_t *pids, unsigned int n, void (*work_forever)(void))
{
	for (process_number = 0; process_number < n; process_number++) {
		random_state += 0x9e3779b97f4a7c15ULL;
		pids[process_number] = fork();
		if (pids[process_number] < 0)
			err(1, "fork");
		if (!pids[process_number])
			work_forever();
	}
}

static void kill_processes(const pid_t *pids, unsigned int n)
{
	while (n--) {
		kill(pids[n], SIGKILL);
		waitpid(pids[n], NULL, 0);
	}
}

/* Kill a reader at a random moment, and start another one. */
static void replace_reader(pid_t *readers)
{
	pid_t *reader = &readers[draw(NR_READERS)];

	usleep(1000 * draw(200));
	kill_processes(reader, 1);
	start_processes(reader, 1, read_forever);
}

int main(int argc, char **argv)
{
	pid_t writer_pids[NR_WRITERS], reader_pids[NR_READERS], maker_pids[NR_MAKERS];
	unsigned int nr_writers, killed = 0;
	time_t until;

	only_records = argc == 3 && !strcmp(argv[2], "records");
	if (argc != 2 + only_records)
		errx(2, "usage: hammer SECONDS [records]");
	nr_writers = only_records ? 0 : NR_WRITERS;
	until = time(NULL) + atoi(argv[1]);
	random_state = until * 0x9e3779b97f4a7c15ULL;
	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (counts == MAP_FAILED)
		err(1, "mmap");

	start_processes(writer_pids, nr_writers, write_forever);
	start_processes(reader_pids, NR_READERS, read_forever);
	start_processes(maker_pids, NR_MAKERS, make_windows);
	for (; time(NULL) < until; killed++)
		replace_reader(reader_pids);
	/* On a busy host, a reload may take all of the time, and nothing could be written. */
	for (until += PATIENCE_S; nr_writers && !counts->writes && time(NULL) < until; killed++)
		replace_reader(reader_pids);
	kill_processes(writer_pids, nr_writers);
	/* Writers change settings so often that makers may have no record yet. */
	for (until += PATIENCE_S; !counts->marked && time(NULL) < until; killed++)
		replace_reader(reader_pids);
	kill_processes(reader_pids, NR_READERS);
	kill_processes(maker_pids, NR_MAKERS);

	printf("writes=%llu refused=%llu reads=%llu lines=%llu marked=%llu wrong=%llu killed=%u\n",
	       counts->writes, counts->refused, counts->reads, counts->lines, counts->marked,
	       counts->wrong, killed);
	return counts->wrong || (nr_writers && !counts->writes) || !counts->reads ||
	       !counts->marked;
}
