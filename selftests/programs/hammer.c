// SPDX-License-Identifier: GPL-2.0
/*
 * hammer SECONDS [records]: 8 processes write to and 8 read from all files of /proc/trace_irqoff
 * at once, while four others make windows. With "records" nobody writes, and only that is read.
 *
 * A reader opens some file and reads it by pieces of odd sizes, at odd offsets, from the
 * beginning or not, and may keep it open for long, also while the module goes away and comes
 * back. One reader after the other is killed in the middle of that. What was read of "records"
 * from the beginning, however small the pieces, has to consist of whole lines in order.
 *
 * Who makes windows has a name that tells which, on which CPU, and who: "h1.4711" keeps interrupts
 * off on CPU 1, and has the pid 4711. A record that does not agree with the name in it is a mix
 * of two.
 *
 * A file that is not there, or any more, is no error. Exits with 1 when what was read is wrong.
 */
#define _GNU_SOURCE
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
#define NR_WRITERS	8
#define NR_READERS	8
#define NR_HELD		4		/* files that a reader keeps open */
#define SIZE_MAX_READ	70000
#define LINE_MAX_READ	65536

static const char * const files[] = {
	"enable", "sampling_period", "trace_latency", "cpus", "distribute", "records",
	"histogram", "status", "active",
};

#define NR_FILES	(sizeof(files) / sizeof(*files))
#define NR_WRITABLE	4

#define PATIENCE 30	/* seconds */

#define INJECT		"/proc/irqoff_inject"
#define NR_MAKERS	4
#define WINDOW_US	25000	/* short ones, so that there is much to read */
#define SHORT_US	3100	/* with "records" */

/* What the name of a maker begins with, what it makes, and the function that is in the stack. */
static const struct maker {
	char letter;
	const char *kind;
	const char *frame;
} makers[] = {
	{ 'h', "hardirq", "inject_hardirq[" },
	{ 's', "spinlock", "inject_spinlock[" },
	{ 'b', "bh", "inject_bh[" },
};

#define NR_KINDS	(sizeof(makers) / sizeof(*makers))

static const char * const texts[NR_WRITABLE][4] = {
	{ "1", "0", "on", "maybe" },
	{ "10ms", "1ms", "20ms", "0" },
	{ "0", "50ms", "2ms", "-1" },
	{ "0", "0-1", "1", "x" },
};

/* Shared by all processes. */
struct counts {
	unsigned long long writes;
	unsigned long long refused;
	unsigned long long reads;
	unsigned long long lines;
	unsigned long long marked;
	unsigned long long wrong;
};

static struct counts *counts;
static bool only_records;
static unsigned long long state;

static unsigned int draw(unsigned int below)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (unsigned int)((state * 0x2545f4914f6cdd1dULL) >> 33) % below;
}

static void count(unsigned long long *what)
{
	__atomic_fetch_add(what, 1, __ATOMIC_RELAXED);
}

static int open_file(const char *name, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), DIRECTORY "%s", name);
	return open(path, flags | O_CLOEXEC);
}

static void write_forever(unsigned int number)
{
	(void)number;
	while (only_records)
		pause();
	for (;;) {
		unsigned int i = draw(NR_WRITABLE);
		const char *text = texts[i][draw(4)];
		int fd = open_file(files[i], O_WRONLY);
		int left = 1 + draw(4);

		if (fd < 0) {
			usleep(1000);
			continue;
		}
		while (left--) {
			count(&counts->writes);
			if (write(fd, text, strlen(text)) < 0)
				count(&counts->refused);
		}
		close(fd);
	}
}

/* Makes windows, each maker of a kind on its own CPU: they alternate. */
static void make_windows(unsigned int number)
{
	const struct maker *maker = &makers[number % NR_KINDS];
	unsigned int cpu = number % sysconf(_SC_NPROCESSORS_ONLN);
	char name[16], line[64];
	cpu_set_t cpus;
	int fd;

	/* It has the name when it is there for good. */
	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	snprintf(name, sizeof(name), "%c%u.%d", maker->letter, cpu, getpid());
	prctl(PR_SET_NAME, name);

	snprintf(line, sizeof(line), "%s %u %u", maker->kind,
		 only_records ? SHORT_US : WINDOW_US, cpu);
	for (;;) {
		fd = open(INJECT, O_WRONLY | O_CLOEXEC);
		if (fd < 0 || write(fd, line, strlen(line)) < 0)
			usleep(1000);
		close(fd);
	}
}

/*
 * The look that a record's task comes from: the end of a hardirq window, the first look into a
 * softirq window. It is cut off behind its stack.
 */
static char *look_of(char *line)
{
	char *look = strstr(line, strstr(line, " kind=hardirq ") ? " stack=" : " sample=");

	if (look)
		look[1 + strcspn(look + 1, " ")] = '\0';
	return look;
}

/* Return: whether fields of a record come from another one. Takes the line apart. */
static bool is_mixed(char *line)
{
	unsigned int cpu, named_cpu;
	int pid, tgid, named_pid;
	const char *look;
	char letter = 0;
	size_t i;

	if (sscanf(line, "seq=%*u kind=%*s cpu=%u", &cpu) != 1)
		return true;
	look = strstr(line, " comm=");
	if (look && sscanf(look, " comm=%c%u.%d pid=%d tgid=%d", &letter, &named_cpu, &named_pid,
			   &pid, &tgid) == 5 && strchr("hsb", letter)) {
		count(&counts->marked);
		if (pid != named_pid || tgid != pid || cpu != named_cpu)
			return true;
	} else {
		letter = 0;
	}

	/* No other task is in these functions, and each maker in its own alone. */
	look = look_of(line);
	for (i = 0; look && i < NR_KINDS; i++)
		if (strstr(look, makers[i].frame) && letter != makers[i].letter)
			return true;
	return false;
}

/* Return: its number, 0 when it is no line of "records". */
static unsigned long long line_number(const char *line)
{
	unsigned long long number;
	int length = 0;

	if (sscanf(line, "seq=%llu kind=%*1[hs]%*[a-z] cpu=%*u end=%n", &number, &length) != 1 ||
	    !length || !strstr(line, " stack="))
		return 0;
	return number;
}

/* Reads all of "records" and looks at it line by line. */
static void read_records(void)
{
	static char line[LINE_MAX_READ], taken_apart[LINE_MAX_READ];
	unsigned long long last = 0, number;
	char buffer[8192];
	size_t length = 0;
	ssize_t n, i;
	int fd = open_file("records", O_RDONLY);

	if (fd < 0)
		return;
	while ((n = read(fd, buffer, 1 + draw(sizeof(buffer)))) > 0) {
		count(&counts->reads);
		for (i = 0; i < n; i++) {
			if (buffer[i] != '\n') {
				if (length < sizeof(line) - 1)
					line[length++] = buffer[i];
				continue;
			}
			line[length] = '\0';
			length = 0;
			number = line_number(line);
			count(&counts->lines);
			memcpy(taken_apart, line, sizeof(line));
			if (number > last && !is_mixed(taken_apart)) {
				last = number;
				continue;
			}
			count(&counts->wrong);
			printf("after record %llu: %.1000s\n", last, line);
			fflush(stdout);
		}
	}
	/* An unload in the middle of a line may cut it off. */
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
	return INT64_MAX - draw(SIZE_MAX_READ);
}

static void read_somehow(int fd)
{
	static char buffer[SIZE_MAX_READ];
	int left = 1 + draw(8);

	while (left--) {
		size_t size = 1 + draw(draw(2) ? 64 : SIZE_MAX_READ);
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
		count(&counts->reads);
		if (n < 0 && errno == ENODEV)
			return;
	}
}

static void read_forever(unsigned int number)
{
	int held[NR_HELD];
	int i;

	(void)number;
	memset(held, -1, sizeof(held));
	for (;;) {
		if (only_records || !draw(4)) {
			read_records();
			continue;
		}
		i = draw(NR_HELD);
		if (held[i] < 0 || !draw(4)) {
			if (held[i] >= 0)
				close(held[i]);
			held[i] = open_file(files[draw(NR_FILES)], O_RDONLY);
		}
		if (held[i] < 0)
			usleep(1000);
		else
			read_somehow(held[i]);
	}
}

static pid_t start(void (*work)(unsigned int number), unsigned int number)
{
	pid_t pid;

	state += 0x9e3779b97f4a7c15ULL;
	pid = fork();
	if (!pid) {
		work(number);
		exit(0);
	}
	if (pid < 0) {
		perror("fork");
		exit(1);
	}
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static unsigned int killed;

/* Kill one reader, at a random moment, and start another one. */
static void replace_reader(pid_t *readers)
{
	int i = draw(NR_READERS);

	usleep(1000 * draw(200));
	end(readers[i]);
	readers[i] = start(read_forever, i);
	killed++;
}

int main(int argc, char **argv)
{
	pid_t writers[NR_WRITERS], readers[NR_READERS], makers_pid[NR_MAKERS];
	time_t until;
	int i;

	only_records = argc == 3 && !strcmp(argv[2], "records");
	if (argc != 2 + only_records) {
		fprintf(stderr, "usage: hammer SECONDS [records]\n");
		return 2;
	}
	until = time(NULL) + atoi(argv[1]);
	state = until * 0x9e3779b97f4a7c15ULL;

	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (counts == MAP_FAILED) {
		perror("mmap");
		return 1;
	}

	for (i = 0; i < NR_WRITERS; i++)
		writers[i] = start(write_forever, i);
	for (i = 0; i < NR_READERS; i++)
		readers[i] = start(read_forever, i);

	for (i = 0; i < NR_MAKERS; i++)
		makers_pid[i] = start(make_windows, i);

	while (time(NULL) < until)
		replace_reader(readers);
	for (i = 0; i < NR_WRITERS; i++)
		end(writers[i]);
	/*
	 * Writers leave few windows time to be recorded, and at times none. Without them the
	 * settings of the next load stay, and there are records soon.
	 */
	until += PATIENCE;
	while (!counts->marked && time(NULL) < until)
		replace_reader(readers);

	for (i = 0; i < NR_READERS; i++)
		end(readers[i]);
	for (i = 0; i < NR_MAKERS; i++)
		end(makers_pid[i]);
	printf("writes=%llu refused=%llu reads=%llu lines=%llu marked=%llu wrong=%llu killed=%u\n",
	       counts->writes, counts->refused, counts->reads, counts->lines, counts->marked,
	       counts->wrong, killed);
	return counts->wrong || (!only_records && !counts->writes) || !counts->reads ||
	       !counts->marked;
}
