# SPDX-License-Identifier: GPL-2.0
#
# What is known beside the windows that have ended, in words: CPUs that were stuck before the
# module was loaded, CPUs that were not watched, and windows that are open. mode=stuck: the first
# alone, a line for each.

# The kernel does not tell which of the runnable tasks of a CPU has it.
function before_tasks(n) {
	return n == 1 ? "running or waiting there: " : "one of these runs there, /proc does not say which: "
}

function stuck_line(i,	n, j, pid, name, text) {
	text = "CPU " stuck_cpu[i] (stuck_open[i] ? " has taken" : " took") \
		" no interrupts for at least " duration(stuck_ns[i])
	n = stuck_tasks_of(i, pid, name)
	for (j = 1; j <= n && j <= 5; j++)
		text = text (j == 1 ? "; " before_tasks(n) : ", ") name[j] " (PID " pid[j] ")"
	return text (n > 5 ? " and " n - 5 " more" : "")
}

function print_stuck(	i) {
	for (i = 1; i <= nr_stuck; i++)
		print stuck_line(i)
}

# "CPU 3", "CPUs 0-3".
function cpus_named(ranges) {
	return (ranges ~ /[,-]/ ? "CPUs " : "CPU ") ranges
}

function why_unwatched(why) {
	return why == "excluded" ? "not in the file cpus" : \
	       why == "late" ? "not responding since tracing started; its interrupts are probably off" : why
}

# "CPU 3 (offline), CPUs 4-7 (isolated)"
function unwatched(	i, text) {
	text = ""
	for (i = 1; i <= nr_unwatched; i++)
		text = text (i > 1 ? ", " : "") cpus_named(cpu_ranges(unwatched_cpus[i])) \
			" (" why_unwatched(unwatched_why[i]) ")"
	return text
}

# mode=before: what was found before tracing began.
function print_before(	i) {
	if (held_up != "")
		print "Held up: this program itself did not get on for " held_up " s before tracing began." \
			" Was a CPU stuck?"
	for (i = 1; i <= nr_stuck; i++)
		print "Stuck: " stuck_line(i) "."
}

# mode=open: what has not ended.
function print_open(	w) {
	print_late()
	for (w = 1; w <= nr_open; w++)
		if (is_first_open(w))
			print "Still open: " open_windows(w, " ")
}

# CPUs that were told to begin, and of which nobody knows more.
function print_late(	i) {
	for (i = 1; i <= nr_unwatched && nr_late; i++)
		if (unwatched_why[i] == "late")
			print "Still open: interrupts off on " cpus_named(cpu_ranges(unwatched_cpus[i])) \
				" since before tracing began: " why_unwatched("late")
}

# What there is to say when there are no windows.
function print_nothing(	where) {
	if (unloaded != "")
		print "No window can be seen: the module was not loaded within " unloaded \
			" s, as the kernel waits for all CPUs."
	else if (nr_open + nr_late)
		print "No window has ended yet."
	else if (missing_windows())
		print plural(missing_windows(), "window") " of " status_of("threshold") \
			" or more counted, but no record is left that can be read."
	else if (nr_stuck || held_up != "")
		print "Since the module was loaded there was no window of " status_of("threshold") \
			" or more" (spent == "" ? "" : " in " spent " s") "."
	else if (spent == "" && status_of("enabled") == "0")
		print "Nothing found, and tracing is off (trace-irqoff on)."
	else {
		where = nr_unwatched ? " on " (watched_cpus == "" ? "any CPU" : cpus_named(watched_cpus)) : ""
		print "Nothing found" where ": no window of " status_of("threshold") " or more" \
			(spent == "" ? "" : " in " spent " s") \
			(nr_unwatched ? "; not monitored: " unwatched() : "") "."
	}
}
