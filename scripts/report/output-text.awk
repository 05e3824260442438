# SPDX-License-Identifier: GPL-2.0
#
# mode=text: the report. Its first line is the answer.

# Lines of 100 columns at most.
function print_wrapped(text,	at) {
	while (length(text) > 100) {
		at = 100
		while (at > 20 && index(substr(text, at), " < ") != 1)
			at--
		if (at == 20)
			break
		print substr(text, 1, at + 1)
		text = "          " substr(text, at + 3)
	}
	print text
}

# The first rows say nearly everything: a culprit that took less than a hundredth of the time has none.
function has_row(i, all_ns) {
	return i <= 3 || i <= 20 && (c_total_ns[rank[i]] + c_waited_ns[rank[i]]) * 100 >= all_ns
}

function print_culprits(	i, c, all_ns, others, others_ns) {
	printf "  # %9s %9s %8s  %-16s %-9s %s\n", "total", "worst", "windows", "what",
	       "CPUs", "function"
	all_ns = others = others_ns = 0
	for (c = 1; c <= nr_culprits; c++)
		all_ns += c_total_ns[c]
	for (i = 1; i <= nr_culprits; i++) {
		c = rank[i]
		if (!has_row(i, all_ns)) {
			others++
			others_ns += c_total_ns[c]
			continue
		}
		printf "%3d %9s %9s %8d  %-16s %-9s %s\n", i, duration(c_total_ns[c]),
		       duration(c_worst_ns[c]), c_windows[c], held(c_kind[c]), cpu_list(c_cpus[c]),
		       c_function[c]
		if (c_context[c] != "")
			print "      " who(c) (c_context[c] == "task" ? ", " place(c_cgroup[c]) : "")
		else if ("crowd" in culprit_index && c == culprit_index["crowd"])
			print "      " plural(c_pids[c], "task") ", last " c_comm[c] " (PID " c_pid[c] ")"
		if (c_inside[c] != "" && c_samples[c])
			print_wrapped("      most samples in " c_inside[c])
		if (c_callers[c] != "")
			print_wrapped("      called by " c_callers[c])
		if (c_waiters[c])
			printf "      %s on other CPUs waited for it, up to %s\n",
			       plural(c_waiters[c], "window"), duration(c_waited_most_ns[c])
		if (c_rank[c] == RANK_CULPRIT && !c_samples[c])
			print "      no sample from inside: this is where interrupts or softirqs came back on"
	}
	if (others)
		printf "    and %d more, %s in all\n", others, duration(others_ns)
}

function print_distribution(	first, b) {
	for (first = 0; first <= last_bucket; first++)
		if (in_bucket("hardirq", first) || in_bucket("softirq", first))
			break
	if (first > last_bucket)
		return
	print "\nLatencies of all CPUs, short ones too:\n"
	printf "  %24s %16s %16s\n", "", held("hardirq"), held("softirq")
	for (b = first; b <= last_bucket; b++)
		if (in_bucket("hardirq", b) || in_bucket("softirq", b))
			printf "  %10s to %10s %16.0f %16.0f\n",
			       microseconds(b ? exp2(b - 1) : 0),
			       microseconds(exp2(b)), in_bucket("hardirq", b),
			       in_bucket("softirq", b)
}

# What this report cannot have found.
function print_unseen() {
	print "Not seen: " (nr_unwatched ? unwatched() "; " : "") \
		(has_looks() ? "" : "inside of windows with interrupts off (nmi: " status_of("nmi") "); ") \
		"kernel code that keeps a CPU for long with interrupts and softirqs on."
}

function print_notes(	older, n, i, file) {
	if (status_of("enabled") == "0")
		print "Note: tracing is off (trace-irqoff on)."
	older = happened == "" ? status_of("records_overwritten") + 0 : \
		happened - nr_windows - counted("records_lost")
	if (older > 0)
		print "Note: " plural(older, "older window") " had to make room for these."
	if (counted("records_lost") > 0)
		print "Note: " plural(counted("records_lost"), "window") " had no room at all."
	if (counted("windows_unsampled") > 0)
		print "Note: " plural(counted("windows_unsampled"), "window") \
			" on idle CPUs left no sample, so it is not known of which kind."
	n = split("host_cpus stuck status.before status histogram.before histogram cgroups active records", file, " ")
	for (i = 1; i <= n; i++)
		if (file[i] in nr_bad)
			print "Note: " plural(nr_bad[file[i]], "line") " of " \
				(file[i] == "records" ? "the records" : file[i]) \
				" could not be read."
}

# Windows that were counted, and of which there is no record that can be read.
function missing_windows(	missing) {
	missing = happened == "" ? status_of("records_overwritten") + counted("records_lost") : \
		happened - nr_windows
	if (missing < 0)
		missing = 0
	return happened == "" && "records" in nr_bad ? missing + nr_bad["records"] : missing
}

function summary(c) {
	return named(c) ": " held(c_kind[c]) ", " plural(c_windows[c], "window") ", worst " \
		duration(c_worst_ns[c]) ", " duration(c_total_ns[c]) " in all"
}

# The culprit with the most time. Then the windows that no function explains, if they took longer, and the
# longest single window, if it has another culprit.
function print_answer(	c, i, unnamed) {
	c = machine_c ? machine_c : rank[1]
	printf "%s: %s%s\n", c_rank[c] == RANK_CULPRIT ? "Culprit" : "Nobody named", summary(c),
	       missing_windows() ? "; " plural(missing_windows(), "more window") " without a record" : ""
	unnamed = 0
	for (i = nr_culprits; i > 0 && c_rank[rank[i]] == RANK_NOBODY; i--)
		if (!unnamed || c_total_ns[rank[i]] > c_total_ns[unnamed])
			unnamed = rank[i]
	if (machine_c && c_rank[rank[1]] == RANK_CULPRIT)
		print "Also: " summary(rank[1])
	else if (unnamed && unnamed != c && c_total_ns[unnamed] > c_total_ns[c])
		print "Not explained: " summary(unnamed)
	if (worst_n && ended_c[worst_n] != c && ended_c[worst_n] != rank[1])
		printf "Worst: %s, %s on CPU %s at %s: %s\n", duration(ended_ns[worst_n]),
		       held(ended_kind[worst_n]), ended_cpu[worst_n],
		       clock(ended_time[worst_n]), named(ended_c[worst_n])
}

function print_text() {
	print_before()
	print_open()
	if (nr_windows)
		print_answer()
	else
		print_nothing()
	printf "\n%s, Linux %s", host, release
	if ("threshold" in status)
		printf ": threshold %s, period %s, CPUs %s", status_of("threshold"),
		       status_of("sampling_period"), status_of("cpus")
	print spent == "" ? "" : ", " spent " s"
	print_unseen()
	print_notes()
	if (nr_windows) {
		printf "%s: %s with interrupts off, %s of softirqs held up\n\n",
		       plural(nr_windows, "window"), kind_windows["hardirq"],
		       kind_windows["softirq"]
		print "By time; interrupts off count four times, and rows in brackets come last:\n"
		print_culprits()
	}
	print_distribution()
	if (nr_open) {
		print "\nOpen windows, stacks from the inside out:\n"
		print_open_windows_with_stacks()
	}
	if (nr_windows) {
		print "\nThe longest window of each, stacks from the inside out:\n"
		print_longest_windows()
	}
}
