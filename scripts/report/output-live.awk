# SPDX-License-Identifier: GPL-2.0
#
# What goes on now: open windows and CPUs that are not monitored, and what is printed during a run.
# mode=open: open windows alone. mode=live: the screen of "top", for 80 columns. mode=lines: a line
# for each new window. mode=worst: the longest window, for the progress line.

BEGIN {
	late_text = "not responding since tracing started; its interrupts are probably off"
}

# "CPU 3", "CPUs 0-3".
function cpus_named(list,	ranges) {
	ranges = cpu_ranges(list)
	return (ranges ~ /[,-]/ ? "CPUs " : "CPU ") ranges
}

# "CPU 3 (offline), CPUs 4-7 (isolated)"
function unmonitored(	i, text) {
	text = ""
	for (i = 1; i <= nr_reasons; i++)
		if (unmonitored_cpus[reason[i]] != "")
			text = text (text == "" ? "" : ", ") cpus_named(unmonitored_cpus[reason[i]]) " (" \
				(reason[i] == "excluded" ? "not in the file cpus" : \
				 reason[i] == "late" ? late_text : reason[i]) ")"
	return text
}

# Kind and culprit of the open window w. Windows with the same ones are printed as one.
function open_culprit(w) {
	return held(win_kind[w]) SUBSEP (win_nr_samples[w] ? own_culprit_in(w) : \
		"unknown (no stack sample)")
}

# The culprit goes after the separator.
function print_open(separator,	w, i, n, key, which, cpus, longest, part) {
	# Nothing more is known of these CPUs.
	if (nr_late)
		print "Still open: interrupts off on " cpus_named(unmonitored_cpus["late"]) \
			" since before tracing started: " late_text
	n = 0
	for (w = 1; w <= nr_open; w++) {
		key = open_culprit(w)
		if (!(key in cpus)) {
			which[++n] = key
			cpus[key] = ""
			longest[key] = w
		}
		cpus[key] = with_cpu(cpus[key], win_cpu[w])
		if (win_latency_ns[w] > win_latency_ns[longest[key]])
			longest[key] = w
	}
	for (i = 1; i <= n; i++) {
		split(which[i], part, SUBSEP)
		print "Still open: " part[1] " on " cpus_named(cpus[which[i]]) " for " \
			length_of(longest[which[i]]) ":" separator part[2]
	}
}

# Open windows come first: what goes on now is the most urgent.
function print_live(	i, c) {
	print_open("\n      ")
	if (!nr_windows) {
		print "no windows so far"
		return
	}
	printf "%9s %9s %8s  %s\n", "total", "worst", "windows", "culprit"
	for (i = 1; i <= nr_culprits; i++) {
		c = rank[i]
		printf "%9s %9s %8d  %s\n", duration(c_total_ns[c]), duration(c_worst_ns[c]),
		       c_windows[c], named(c)
	}
}

function print_line(w) {
	printf "%s CPU %s %s for %s: %s\n", clock(win_end[w]), win_cpu[w], held(win_kind[w]),
	       win_begin_unseen[w] ? length_of(w) : duration(win_latency_ns[w]), own_culprit_in(w)
}

# The next call continues after this record.
function print_last_seq() {
	print last_seq >last_to
	close(last_to)
}

function print_worst(	w, worst) {
	worst = nr_open + 1
	for (w = worst; w <= nr_rows; w++)
		if (win_latency_ns[w] > win_latency_ns[worst])
			worst = w
	if (nr_windows)
		printf "%d ms %s on CPU %s\n", win_latency_ns[worst] / 1e6, win_kind[worst], win_cpu[worst]
	else
		print ""
}
