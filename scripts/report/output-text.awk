# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# mode=text: the report. First the answer: the function, and who, when, how sure, how bad and by which
# path. Then all causes in a table, and one window of each (output-windows.awk). Lines have at most 80
# columns, but for the first one and for long names.
#
# Owns: head_line[i] up to nr_head, the first lines; also[i] up to nr_also; note[i] up to nr_notes

BEGIN {
	FORMAT = 2		# of the module's files
	CLOSE = 0.5		# a cause with this share of the time of the first one stands below it
}

function print_facts(	i) {
	for (i = 1; i <= nr_facts; i++)
		print_list(sprintf("  %-5s ", fact_label[i]), fact_text[i], fact_label[i] == "path" ? " < " : " ", "        ")
}

function find_also(	c, i, other, windows, ns) {
	nr_also = windows = ns = 0
	c = answer
	other = c ? first_ranked(!c_is_named[c]) : 0
	for (i = 1; i <= nr_ranked; i++)
		if (!c_is_named[rank[i]]) {
			windows += c_windows[rank[i]]
			ns += c_total_ns[rank[i]]
		}
	if (other && !c_is_named[c])
		also[++nr_also] = summary(other)
	else if (other && ns > blocked_ns(c) && windows == c_windows[other])
		also[++nr_also] = "Not explained: " c_function[other] ": " held_by(other) ", " plural(windows, "window") \
			", in all " duration(ns)
	else if (other && ns > blocked_ns(c))
		also[++nr_also] = "Not explained: " plural(windows, "window") ", in all " duration(ns) ", " \
			duration(c_total_ns[other]) " of it " c_function[other]
	for (i = 2; i <= nr_ranked && c_is_named[c]; i++)
		if (c_is_named[rank[i]] && rank[i] != c && has_row(i) && blocked_ns(rank[i]) >= CLOSE * blocked_ns(c))
			also[++nr_also] = "Also: " (is_sure(rank[i]) ? "" : "probably ") facts(rank[i])
}

# A culprit that took less than a hundredth of the time has no row.
function has_row(i) {
	return rank[i] == answer || i <= 20 && blocked_ns(rank[i]) >= all_ns / 100
}

function print_detail(text) {
	if (text != "")
		print_text_line("      ", text, "          ")
}

# The column "others" has the time that other CPUs waited: the order of the rows counts it, too.
function print_culprits(	i, c, others, others_ns) {
	printf "  #    in all   longest %s windows  %-9s %-16s %s\n", all_waiters ? "   others " : "", "CPUs", "kind", "function"
	others = others_ns = 0
	for (i = 1; i <= nr_ranked; i++) {
		c = rank[i]
		if (!has_row(i)) {
			others++
			others_ns += c_total_ns[c]
			continue
		}
		printf "%3d %9s %9s %s%8d  %-9s %-16s %s\n", i, c_windows[c] ? duration(c_total_ns[c]) : "-",
		       c_windows[c] ? duration(c_worst_ns[c]) : "-", !all_waiters ? "" : sprintf("%9s ", c_waiters[c] ? duration(c_waited_ns[c]) : "-"),
		       c_windows[c], cpu_list(c_cpus[c]), kinds_of(c), c_function[c]
		# The answer has this already.
		if (c == answer)
			continue
		print_detail(c_is_named[c] ? who_and_where(c) : "")
		print_detail(when(c))
		print_detail(c_is_named[c] && !is_sure(c) ? how_sure(c) : "")
		print_detail(waits_on(c))
		print_detail(perhaps_holder(c))
		print_detail(place_text(c))
		print_detail(storms_of(c))
		print_detail(cause_text(c))
	}
	if (others)
		printf "    and %d more, %s in all\n", others, duration(others_ns)
}

function add_note(text) {
	note[++nr_notes] = text
}

# What this report cannot have found, and what is not as it should be.
function find_notes(	text, older, lost, n, i, file) {
	nr_notes = 0
	for (i = 1; i <= nr_log_facts; i++)
		add_note(log_fact[i])
	text = (nr_unmonitored ? "; " unmonitored() : "") \
		(has_samples() ? "" : "; inside of windows with interrupts off (nmi: " status_of("nmi") ")") \
		(status_of("nosched") != "off" ? "" : \
			"; delayed tasks (to see them: --nosched on)")
	if (text != "")
		add_note("Not seen: " substr(text, 3) ".")
	if (status_of("enabled") == "0")
		add_note("Note: tracing is off (trace-irqoff on).")
	lost = counted("records_lost")
	older = unrecorded() - lost
	if (older > 0)
		add_note("Note: " plural(older, "older record") (older == 1 ? " was" : " were") \
			" overwritten (room for " ("nr_records" in status ? status_of("nr_records") : "1024") \
			"; to keep more: trace-irqoff off -u, then --nr-records 8192).")
	if (lost > 0)
		add_note("Note: " plural(lost, "window") " left no record: too many ended at the same time.")
	if (nr_like_stops > 1 && !("cpus" in status))
		add_note("Note: these data do not say which CPUs were traced. The machine may have stood still: see the" \
			" windows without samples.")
	if (clock_set_back)
		add_note("Note: the clock was set back while this host was traced: times of day overlap.")
	if (status_of("format") + 0 > FORMAT)
		add_note("Note: the module is newer than this program (format " status_of("format") \
			"): update trace-irqoff.")
	n = split(INPUT_FILES, file, " ")
	for (i = 1; i <= n; i++)
		if (file[i] in nr_bad)
			add_note("Note: " plural(nr_bad[file[i]], "line") " of " \
				(file[i] == "records" ? "the records" : file[i]) " could not be read.")
}

function unrecorded() {
	return happened == "" ? status_of("records_overwritten") + counted("records_lost") : \
		happened - nr_windows - nr_filtered + nr_filtered_open
}

# Windows that were counted, and of which there is no record that can be read.
function missing_windows(	missing) {
	missing = unrecorded() > 0 ? unrecorded() : 0
	return happened == "" && "records" in nr_bad ? missing + nr_bad["records"] : missing
}

function kinds_counted(	text) {
	text = (kind_windows["hardirq"] ? ", " kind_windows["hardirq"] " with interrupts off (hardirq)" : "") \
		(kind_windows["softirq"] ? ", " kind_windows["softirq"] " of delayed softirqs (softirq)" : "") \
		(kind_windows["nosched"] ? ", " kind_windows["nosched"] " of delayed tasks (nosched)" : "")
	return substr(text, 3) (all_waiters ? "; in " all_waiters " of these, a CPU waited for another one" : "")
}

# If no window has ended.
function find_nothing(	where) {
	if (nr_open + nr_late)
		add_head("No window " (nr_filtered > nr_filtered_open ? "that has ended matches the filter." : "has ended yet."))
	else if (nr_filtered)
		add_head("Nothing found that matches the filter.")
	else if (!("threshold" in status) && (nr_log_facts || log_first != ""))
		add_head("This log has no lockup or RCU stall that names a CPU.")
	else if (!("threshold" in status))
		add_head("No window is recorded here, and without the file status it is not known what was traced.")
	else if (missing_windows())
		add_head(plural(missing_windows(), "window") " of " status_of("threshold") \
			" or more counted, but no record is left that can be read.")
	else if (spent == "" && status_of("enabled") == "0")
		add_head("Nothing found, and tracing is off (trace-irqoff on).")
	else {
		where = nr_unmonitored ? " on " (monitored_cpus == "" ? "any CPU" : cpus_named(monitored_cpus)) : ""
		add_head("Nothing found" where ": no window of " status_of("threshold") " or more" \
			(spent == "" ? "" : " in " spent " s") \
			(nr_unmonitored ? "; not monitored: " unmonitored() : "") ".")
		if (busiest_share >= INTERRUPTS_SHARE)
			add_head("CPU " busiest_cpu sprintf(" spent %d %%", 100 * busiest_share) \
				" of the time in interrupts and softirqs.")
	}
}

function add_head(text) {
	head_line[++nr_head] = text
}

# Open windows come first: what goes on now is the most urgent.
function find_head(	i) {
	find_open_lines()
	nr_head = 0
	for (i = 1; i <= nr_open_lines; i++)
		add_head(open_line[i])
	if (log_first != "")
		add_head(log_first)
	if (nr_windows)
		add_head(summary_of_answer())
	else
		find_nothing()
}

function find_head_facts() {
	if (nr_windows)
		return find_facts(answer)
	nr_facts = 0
	add_fact("next", next_if_nothing())
}

function print_text(	i, w) {
	find_head()
	for (i = 1; i <= nr_head; i++) {
		if (head_line[i] == log_first)
			print_text_line("", log_first, "    ")
		else
			print head_line[i]
		if (i <= nr_open_lines) {
			find_open_facts(i)
			print_facts()
		}
	}
	find_head_facts()
	print_facts()
	if (nr_windows) {
		find_also()
		for (i = 1; i <= nr_also; i++)
			print_text_line("", also[i], "    ")
	}
	if (is_filtered())
		print filter_text()
	print ""
	print_text_line("", host ", Linux " release ("threshold" in status ? ": threshold " status_of("threshold") \
		", period " status_of("sampling_period") ", CPUs " status_of("cpus") : "") \
		(spent == "" ? "" : ", traced for " spent " s"), "    ")
	find_notes()
	for (i = 1; i <= nr_notes; i++)
		print_text_line("", note[i], "    ")
	if (nr_windows) {
		print_text_line("", plural(nr_windows, "window") ": " kinds_counted(), "    ")
		print ""
		print_culprits()
		find_pods()
		if (nr_pods)
			print_pods()
	}
	if (nr_open) {
		print "\nOpen windows (f > g: f calls g):\n"
		# Those with the same culprit have much the same stacks.
		for (w = 1; w <= nr_open; w++)
			if (win_nr_samples[w] && is_first_open(w))
				print_window("", w)
	}
	if (nr_windows && top) {
		print (nr_open ? "" : "\n") "Of each cause, the longest window, with samples if any (f > g: f calls g):\n"
		print_examples()
	}
	if (handlers_on_ns) {
		print "\nTime in handlers (trace-irqoff handlers):"
		print_handlers()
	}
}
