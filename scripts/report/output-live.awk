# SPDX-License-Identifier: GPL-2.0
#
# Windows that have not ended, and what follow prints while windows come:
#	lines	a line for each window
#	open	open windows alone
#
# Owns: open_line[i] up to nr_open_lines; open_longest[i], the longest window of each, 0: none has a row;
#	open_line_of[key]

function is_first_open(w) {
	return first_open[open_key[w]] == w
}

# Adds a line about the open windows with the culprit of row w.
function add_open_line(w,	i, longest, cpus, part) {
	longest = w
	cpus = ""
	for (i = w; i <= nr_open; i++)
		if (open_key[i] == open_key[w]) {
			cpus = cpus (cpus == "" ? "" : ",") win_cpu[i]
			if (win_latency_ns[i] + 0 > win_latency_ns[longest] + 0)
				longest = i
		}
	split(open_key[w], part, SUBSEP)
	open_line[++nr_open_lines] = "Still open: " part[1] " on " cpus_named(cpu_ranges(cpus)) " for " \
		lasted(longest, " so far") ": " part[2] progress(longest)
	open_longest[nr_open_lines] = longest
	open_line_of[open_key[w]] = nr_open_lines
}

# Whether open window w goes on, or hangs.
function progress(w,	n, i, offset_ns, stack, by, moved, ago_ns) {
	n = samples_of(w, offset_ns, stack, by, moved)
	if (n < 2 || moved[n] == "-")
		return ""
	for (i = n; i > 1 && moved[i] == "0"; i--)
		;
	# The latency is rounded down.
	ago_ns = win_latency_ns[w] > offset_ns[n] ? win_latency_ns[w] - offset_ns[n] : 0
	return (i == n ? "; it goes on" : "; nothing moved for " duration(offset_ns[n] - offset_ns[i])) \
		" (last sample: " duration(ago_ns) " ago)"
}

function find_open_lines(	i, w) {
	nr_open_lines = 0
	for (i = 1; i <= nr_unmonitored && nr_late; i++)
		if (unmonitored_why[i] == "late") {
			open_longest[nr_open_lines + 1] = 0
			open_line[++nr_open_lines] = "Still open: interrupts off on " cpus_named(cpu_ranges(unmonitored_cpus[i])) \
				" since before tracing started: " why_unmonitored("late")
		}
	for (w = 1; w <= nr_open; w++)
		if (is_first_open(w))
			add_open_line(w)
}

function print_open(	i) {
	find_open_lines()
	for (i = 1; i <= nr_open_lines; i++)
		print open_line[i]
}

# What the report says of window w: "probably walk, in task sh (PID 7)".
function culprit_in(w,	c) {
	c = win_c[w]
	return (w in win_holder ? "waited for " : "") (c_is_named[c] && !is_sure(c) ? "probably " : "") c_function[c] \
		(w in win_holder ? " on CPU " win_cpu[win_holder[w]] : "") run_by(w)
}

# mode=jsonl or lines: the ended windows
function print_ended_windows(	w) {
	for (w = nr_open + 1; w <= nr_rows; w++)
		if (w in win_unwanted)
			continue
		else if (mode == "lines")
			print clock(win_end[w]) " CPU " win_cpu[w], held_in(w) " for " lasted(w) ": " culprit_in(w)
		else
			print json_window(w)
}
