// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * nth load KO|open|read|write|poll: repeat a try: load the module, or open, read, write or poll
 * each file. In the first try, the kernel's fault injection lets the first allocation fail, in the
 * second try the second, and so on, until a try makes no more allocations. Prints the number of
 * failures and their results. Exit status: 0: all results were right, 1: one was wrong, or no
 * allocation failed, 2: nth itself failed.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MODULE		"trace_irqoff"
#define DIRECTORY	"/proc/" MODULE "/"
#define PARAMETERS	"enable=1 sampling_period=10 threshold=50 cpus=0"
#define FAIL_NTH	"/proc/thread-self/fail-nth"

#define NTH_MAX		100000	/* more allocations than any try makes */
#define ERRNO_MAX	4096
#define LINE_MAX_LEN	256	/* bytes */
#define TEXT_MAX	1048576	/* bytes, more than any file has here */
#define ANY_ERROR	-1
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

/**
 * struct outcome - the result of one try
 * @error: an errno; 0: success
 * @hit: an allocation failed
 * @wrong: what is wrong afterwards, or NULL
 */
struct outcome {
	int error;
	bool hit;
	const char *wrong;
};

/* One try, in which the Nth allocation fails; 0: no allocation fails. */
typedef struct outcome (*try_fn)(const char *name, unsigned int n);

static int fail_nth_fd;

/* From now on, the Nth allocation of this thread fails; 0: no allocation fails. */
static void arm(unsigned int n)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "%u", n);

	if (pwrite(fail_nth_fd, text, length, 0) != length)
		err(2, "cannot write " FAIL_NTH);
}

/* Return: whether an allocation has failed since arm(). */
static bool disarm(unsigned int n)
{
	char text[16] = "";

	if (pread(fail_nth_fd, text, sizeof(text) - 1, 0) <= 0)
		err(2, "cannot read " FAIL_NTH);
	arm(0);
	return n && atoi(text) == 0;
}

static bool file_contains(const char *path, const char *word)
{
	char line[LINE_MAX_LEN];
	bool found = false;
	FILE *file = fopen(path, "r");

	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file))
		found = strstr(line, word);
	fclose(file);
	return found;
}

static const char *left_of_module(void)
{
	if (!access(DIRECTORY, F_OK))
		return DIRECTORY " is left";
	if (file_contains("/proc/modules", MODULE " "))
		return "the module is left";
	if (file_contains("/sys/devices/system/cpu/hotplug/states", MODULE))
		return "the hotplug state is left";
	return NULL;
}

/* Nothing must be left of a load that fails. */
static struct outcome try_load(const char *name, unsigned int n)
{
	struct outcome o = {};
	int fd = open(name, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		err(2, "cannot open %s", name);
	arm(n);
	if (syscall(SYS_finit_module, fd, PARAMETERS, 0))
		o.error = errno;
	o.hit = disarm(n);
	close(fd);

	if (!o.error && syscall(SYS_delete_module, MODULE, O_NONBLOCK))
		o.wrong = "the module cannot be unloaded";
	else
		o.wrong = left_of_module();
	return o;
}

static int open_file(const char *name, int flags)
{
	char path[LINE_MAX_LEN];

	snprintf(path, sizeof(path), DIRECTORY "%s", name);
	return open(path, flags);
}

static int must_open(const char *name, int flags)
{
	int fd = open_file(name, flags);

	if (fd < 0)
		err(2, "cannot open %s", name);
	return fd;
}

/* For writing, too: a session must not stay open after a failure. */
static struct outcome try_open(const char *name, unsigned int n)
{
	struct outcome o = {};
	int fd;

	arm(n);
	fd = open_file(name, O_RDWR);
	if (fd < 0)
		o.error = errno;
	o.hit = disarm(n);
	if (fd >= 0)
		close(fd);
	return o;
}

/* Appends to @text. Return: an errno, or 0 at the end of the file. */
static int read_on(int fd, char text[TEXT_MAX], size_t *length)
{
	ssize_t ret;

	while ((ret = read(fd, text + *length, TEXT_MAX - *length)) > 0)
		*length += ret;
	return ret < 0 ? errno : 0;
}

/* Read the whole file. After a failure, the next read must continue where the last one ended. */
static struct outcome try_read(const char *name, unsigned int n)
{
	static char text[TEXT_MAX], whole[TEXT_MAX];
	static size_t whole_length;
	struct outcome o = {};
	int fd = must_open(name, O_RDONLY);
	size_t length = 0;

	/* Tracing is disabled: the file does not change. The first read of @fd has to allocate. */
	if (n == 1) {
		int whole_fd = must_open(name, O_RDONLY);

		whole_length = 0;
		if (read_on(whole_fd, whole, &whole_length))
			err(2, "cannot read %s", name);
		close(whole_fd);
	}

	arm(n);
	o.error = read_on(fd, text, &length);
	o.hit = disarm(n);
	if (o.error && read_on(fd, text, &length))
		o.wrong = "the next read fails, too";
	else if (length != whole_length || memcmp(text, whole, length))
		o.wrong = "the contents differ";
	close(fd);
	return o;
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
};

static void read_line(int fd, char line[LINE_MAX_LEN])
{
	ssize_t len = pread(fd, line, LINE_MAX_LEN - 1, 0);

	if (len < 0)
		err(2, "cannot read");
	line[len] = '\0';
	line[strcspn(line, "\n")] = '\0';
}

static int write_text(int fd, const char *text)
{
	return write(fd, text, strlen(text)) < 0 ? errno : 0;
}

/* A write that fails must change nothing. */
static struct outcome try_write(const char *name, unsigned int n)
{
	char before[LINE_MAX_LEN], after[LINE_MAX_LEN];
	const struct setting *setting = settings;
	struct outcome o = {};
	int fd = must_open(name, O_RDWR), shown_fd = fd;

	while (strcmp(setting->name, name))
		setting++;
	if (setting->shown_in)
		shown_fd = must_open(setting->shown_in, O_RDONLY);
	if (write_text(fd, setting->before))
		err(2, "cannot set %s to %s", name, setting->before);
	read_line(shown_fd, before);

	arm(n);
	o.error = write_text(fd, setting->after);
	o.hit = disarm(n);

	read_line(shown_fd, after);
	if (o.error && strcmp(before, after))
		o.wrong = "the write changed the setting";
	else if (!o.error && !strcmp(before, after))
		o.wrong = "the write did not change the setting";
	write_text(fd, setting->before);
	if (setting->shown_in)
		close(shown_fd);
	close(fd);
	return o;
}

/* A file that is polled holds a reference to the module: the close must drop it. */
static struct outcome try_poll(const char *name, unsigned int n)
{
	struct epoll_event event = { .events = EPOLLPRI };
	int fd = must_open(name, O_RDONLY), epoll_fd = epoll_create1(0);
	struct outcome o = {};

	if (epoll_fd < 0)
		err(2, "epoll_create1");
	arm(n);
	if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event))
		o.error = errno;
	o.hit = disarm(n);
	close(epoll_fd);
	close(fd);
	return o;
}

static bool is_wrong(const char *what, const char *name, unsigned int n,
		     const struct outcome *o, int allowed)
{
	if (!o->wrong && (!o->error || o->error == allowed || allowed == ANY_ERROR))
		return false;
	printf("%s %s, allocation %u: %s%s%s\n", what, name, n,
	       o->error ? strerror(o->error) : "success",
	       o->wrong ? ", but " : "", o->wrong ?: "");
	return true;
}

/*
 * @allowed: the error that a failed allocation may cause. The kernel can do without some
 * allocations: then there is no error. The next try without a failure must succeed.
 */
static bool sweep(const char *what, const char *name, try_fn try, int allowed)
{
	unsigned int errors[ERRNO_MAX] = {};	/* number of tries by errno; 0: success */
	struct outcome o = {};
	unsigned int n;
	int error;

	for (n = 1; n < NTH_MAX; n++) {
		o = try(name, n);
		if (!o.hit)
			break;
		if (is_wrong(what, name, n, &o, allowed))
			return false;
		errors[o.error]++;

		/* A load takes too long to try twice. */
		if (try == try_load)
			continue;
		o = try(name, 0);
		if (is_wrong(what, name, 0, &o, 0))
			return false;
	}

	printf("%s %s: %u failed:", what, name, n - 1);
	for (error = 1; error < ERRNO_MAX; error++)
		if (errors[error])
			printf(" %u x %s,", errors[error], strerror(error));
	printf(" %u x success nevertheless\n", errors[0]);
	if (n == 1)
		o.wrong = "no allocation failed";
	return !is_wrong(what, name, 0, &o, 0);
}

static bool sweep_all_files(const char *what, try_fn try)
{
	DIR *dir = opendir(DIRECTORY);
	struct dirent *entry;
	bool well = true;

	if (!dir)
		err(2, "cannot open " DIRECTORY);
	while (well && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			well = sweep(what, entry->d_name, try, ENOMEM);
	closedir(dir);
	return well;
}

static bool sweep_settings(void)
{
	bool well = true;
	size_t i;

	for (i = 0; well && i < ARRAY_SIZE(settings); i++)
		well = sweep("write", settings[i].name, try_write, ENOMEM);
	return well;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	bool well;

	fail_nth_fd = open(FAIL_NTH, O_RDWR);
	if (fail_nth_fd < 0)
		err(2, "cannot open " FAIL_NTH);

	if (!strcmp(what, "load") && argc == 3)
		well = sweep(what, argv[2], try_load, ANY_ERROR);
	else if (!strcmp(what, "open") && argc == 2)
		well = sweep_all_files(what, try_open);
	else if (!strcmp(what, "read") && argc == 2)
		well = sweep_all_files(what, try_read);
	else if (!strcmp(what, "write") && argc == 2)
		well = sweep_settings();
	else if (!strcmp(what, "poll") && argc == 2)
		well = sweep("poll", "records", try_poll, ENOMEM) &&
		       sweep("poll", "active", try_poll, ENOMEM);
	else
		errx(2, "usage: nth load KO|open|read|write|poll");
	return well ? 0 : 1;
}
