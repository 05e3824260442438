// SPDX-License-Identifier: GPL-2.0
/*
 * nth SEED EVERY load|open|read|write NAME...: repeat a try with each NAME, which is the path
 * of the module, or a file of the module. In the first try, the kernel's fault injection lets the
 * first allocation fail, in the second try the second, and so on, until a try makes no more
 * allocations. From the ninth try on, one allocation of EVERY fails on average. Exit status: 1: a
 * result was wrong, or no allocation failed; 2: nth itself failed.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MODULE		"trace_irqoff"
#define DIRECTORY	"/proc/" MODULE
#define HOTPLUG_STATES	"/sys/devices/system/cpu/hotplug/states"
#define PARAMETERS	"enable=1 sampling_period=10 threshold=50 cpus=0"
#define FAIL_NTH	"/proc/thread-self/fail-nth"

#define ALL		8	/* the first 8 allocations fail one by one */
#define LINE_MAX_LEN	256	/* bytes */
#define TEXT_MAX	1048576	/* bytes, more than any file has here */
#define ARRAY_SIZE(a)	((int)(sizeof(a) / sizeof(*(a))))

/* Of the last try: */
static bool failed;		/* an allocation failed */
static const char *wrong;	/* the fault that a call left behind, or NULL */

static int fail_nth_fd;

/* From now on, the Nth allocation of this thread fails. */
static void arm(int n)
{
	if (dprintf(fail_nth_fd, "%d", n) < 0)
		err(2, "cannot write " FAIL_NTH);
}

static void disarm(void)
{
	char text[16] = "";

	if (pread(fail_nth_fd, text, sizeof(text) - 1, 0) <= 0)
		err(2, "cannot read " FAIL_NTH);
	failed = !atoi(text);
	arm(0);
}

static int must_open(const char *name, int flags)
{
	int fd = open(name, flags);

	if (fd < 0)
		err(2, "cannot open %s", name);
	return fd;
}

/* Append the rest of the file to @text. Return: an errno, or 0 at the end of the file. */
static int read_on(int fd, char text[TEXT_MAX], size_t *length)
{
	ssize_t ret;

	while ((ret = read(fd, text + *length, TEXT_MAX - *length - 1)) > 0)
		*length += ret;
	text[*length] = '\0';
	return ret < 0 ? errno : 0;
}

/* Nothing must be left of a load that fails. */
static int try_load(const char *name, int n)
{
	int fd = must_open(name, O_RDONLY), states_fd = must_open(HOTPLUG_STATES, O_RDONLY);
	static char states[TEXT_MAX];
	size_t length = 0;
	int error;

	arm(n);
	error = syscall(SYS_finit_module, fd, PARAMETERS, 0) ? errno : 0;
	disarm();
	close(fd);
	if (!error && syscall(SYS_delete_module, MODULE, O_NONBLOCK))
		wrong = "the module cannot be unloaded";
	else if (!access(DIRECTORY, F_OK) || !access("/sys/module/" MODULE, F_OK))
		wrong = "the module is left";
	else if (read_on(states_fd, states, &length) || strstr(states, MODULE))
		wrong = "the hotplug state is left";
	close(states_fd);
	return error;
}

/* For writing, too: a session must not stay open after a failure. */
static int try_open(const char *name, int n)
{
	int fd, error;

	arm(n);
	fd = open(name, O_RDWR);
	error = fd < 0 ? errno : 0;
	disarm();
	close(fd);
	return error;
}

/*
 * After a failure, the next read must continue where the last one ended. Tracing is disabled: the
 * file does not change.
 */
static int try_read(const char *name, int n)
{
	static char text[TEXT_MAX], whole[TEXT_MAX];
	int fd = must_open(name, O_RDONLY), whole_fd = must_open(name, O_RDONLY);
	size_t length = 0, whole_length = 0;
	int error;

	if (read_on(whole_fd, whole, &whole_length))
		err(2, "cannot read %s", name);
	close(whole_fd);
	arm(n);
	error = read_on(fd, text, &length);
	disarm();
	if (error && read_on(fd, text, &length))
		wrong = "the next read fails, too";
	else if (length != whole_length || memcmp(text, whole, length))
		wrong = "the contents differ";
	close(fd);
	return error;
}

/*
 * @shown_in: the file whose first line shows what the write sets; NULL: the descriptor of the write
 * itself shows it.
 */
static const struct setting {
	const char *name, *shown_in, *before, *after;
} settings[] = {
	{ "cpus", "cpus", "0-1", "0" },
	{ "enable", "enable", "0", "1" },
	{ "nosched", "nosched", "1", "0" },
	{ "sampling_period", "sampling_period", "10ms", "20ms" },
	{ "trace_latency", "trace_latency", "1000s", "2000s" },
	{ "session", "trace_latency", "threshold=1000s", "cpus=0 threshold=2000s" },
	{ "records", NULL, "0", "1" },
	{ "handlers", "handlers", "0", "1" },
};

static int write_text(int fd, const char *text)
{
	return write(fd, text, strlen(text)) < 0 ? errno : 0;
}

/* As long as the last write to handlers is not done, the next one is refused. */
static int write_when_done(int fd, const char *text)
{
	int error, tries = 1000;

	while ((error = write_text(fd, text)) == EBUSY && --tries)
		usleep(10000);
	return error;
}

static void read_line(int fd, char line[LINE_MAX_LEN])
{
	ssize_t length = pread(fd, line, LINE_MAX_LEN - 1, 0);

	if (length < 0)
		err(2, "cannot read");
	line[length] = '\0';
	line[strcspn(line, "\n")] = '\0';
}

/* A write that fails must change nothing. */
static int try_write(const char *name, int n)
{
	int fd = must_open(name, O_RDWR), shown_fd = fd, error, i = 0;
	char before[LINE_MAX_LEN], after[LINE_MAX_LEN];

	while (strcmp(settings[i].name, name))
		if (++i == ARRAY_SIZE(settings))
			errx(2, "unknown setting %s", name);
	if (settings[i].shown_in)
		shown_fd = must_open(settings[i].shown_in, O_RDONLY);
	if (write_when_done(fd, settings[i].before))
		err(2, "cannot set %s to %s", name, settings[i].before);
	read_line(shown_fd, before);
	arm(n);
	error = write_text(fd, settings[i].after);
	disarm();
	read_line(shown_fd, after);
	if (!error == !strcmp(before, after))
		wrong = error ? "the setting has changed" : "the setting has not changed";
	if (write_when_done(fd, settings[i].before))
		wrong = "the next write fails";
	if (shown_fd != fd)
		close(shown_fd);
	close(fd);
	return error;
}

static const struct sweep {
	const char *what;
	int (*try)(const char *name, int n);
} sweeps[] = {
	{ "load", try_load },
	{ "open", try_open },
	{ "read", try_read },
	{ "write", try_write },
};

/*
 * The kernel can do without some allocations. The try without a failure must succeed. A failed
 * allocation may make a load fail with any error, and other calls only with ENOMEM.
 */
static bool is_right(const struct sweep *sweep, const char *name, int every)
{
	int n = 0, tries = 0, error;

	do {
		n += n < ALL ? 1 : 1 + rand() % (2 * every - 1);
		wrong = NULL;
		error = sweep->try(name, n);
		if (wrong || (error && (!failed || (sweep->try != try_load && error != ENOMEM)))) {
			printf("%s %s, allocation %d: %s%s%s\n", sweep->what, name, n,
			       strerror(error), wrong ? ", but " : "", wrong ?: "");
			return false;
		}
		tries += failed;
	} while (failed);
	printf("%s %s: %d allocations failed\n", sweep->what, name, tries);
	return tries;
}

int main(int argc, char **argv)
{
	const struct sweep *sweep = sweeps;
	bool right = true;
	int i;

	while (argc > 4 && strcmp(argv[3], sweep->what))
		if (++sweep == sweeps + ARRAY_SIZE(sweeps))
			argc = 0;
	if (argc < 5 || atoi(argv[2]) < 1)
		errx(2, "usage: nth SEED EVERY load|open|read|write NAME...");
	fail_nth_fd = must_open(FAIL_NTH, O_RDWR);
	if (sweep->try != try_load && chdir(DIRECTORY))
		err(2, DIRECTORY);
	srand(atoi(argv[1]));
	for (i = 4; right && i < argc; i++)
		right = is_right(sweep, argv[i], atoi(argv[2]));
	return !right;
}
