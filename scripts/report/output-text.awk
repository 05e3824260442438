# SPDX-License-Identifier: GPL-2.0
#
# mode=text: the report. Its first line is the answer.
#
# Owns: row_min_ns

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

# Sets row_min_ns: a culprit that took less than a hundredth of the time has no row.
function find_row_min(	c) {
	row_min_ns = 0
	for (c = 1; c <= nr_culprits; c++)
		row_min_ns += c_total_ns[c] / 100
}

function has_row(i) {
	return i == 1 && !unexplained_c || \
	       i <= 20 && c_total_ns[rank[i]] + c_waited_ns[rank[i]] >= row_min_ns
}

function print_culprits(	i, c, others, others_ns) {
	printf "  # %9s %9s %8s  %-16s %-9s %s\n", "total", "worst", "windows", "what", "CPUs", "function"
	others = others_ns = 0
	for (i = 1; i <= nr_culprits; i++) {
		c = rank[i]
		if (!has_row(i)) {
			others++
			others_ns += c_total_ns[c]
			continue
		}
		printf "%3d %9s %9s %8d  %-16s %-9s %s\n", i, duration(c_total_ns[c]),
		       duration(c_worst_ns[c]), c_windows[c], held_by(c), cpu_list(c_cpus[c]),
		       c_function[c]
		if (c_context[c] != "")
			print "      " who(c) (c_context[c] == "task" ? ", " place(c_cgroup[c]) : "")
		else if ("crowd" in culprit_index && c == culprit_index["crowd"])
			print "      " plural(c_pids[c], "task") ", last " with_pid(c_task[c])
		if (c_inside[c] != "" && c_samples[c])
			print_wrapped("      most samples in " c_inside[c])
		if (c_callers[c] != "")
			print_wrapped("      called by " c_callers[c])
		if (c_waiters[c])
			printf "      %s on other CPUs waited for it, up to %s\n",
			       plural(c_waiters[c], "window"), duration(c_waited_most_ns[c])
		if (c in c_worst_storm)
			print "      " storm_text(c_worst_storm[c]) (c_nr_storms[c] < c_windows[c] ? \
				" (" c_nr_storms[c] " of " c_windows[c] " windows)" : "")
		if (c_rank[c] == RANK_CULPRIT && !c_samples[c])
			print "      no sample from inside the window; this is where interrupts or softirqs came back on"
	}
	if (others)
		printf "    and %d more, %s in all\n", others, duration(others_ns)
}

function print_distribution(	b, k, head, counts, sum) {
	head = ""
	for (b = 0; b <= last_bucket; b++) {
		counts = ""
		sum = 0
		for (k = 1; k <= nr_kinds; k++) {
			counts = counts sprintf(" %16.0f", in_bucket(kind_name[k], b))
			sum += in_bucket(kind_name[k], b)
		}
		if (!sum)
			continue
		if (head == "") {
			for (k = 1; k <= nr_kinds; k++)
				head = head sprintf(" %16s", held(kind_name[k]))
			print "\nHow late ticks were, and how long softirqs and tasks had waited (counts, all CPUs):"
			printf "\n  %24s%s\n", "", head
		}
		printf "  %10s to %10s%s\n", microseconds(b ? exp2(b - 1) : 0), microseconds(exp2(b)), counts
	}
}

# What this report cannot have found.
function print_unseen(	text) {
	text = (nr_unmonitored ? "; " unmonitored() : "") \
		(has_samples() ? "" : "; inside of windows with interrupts off (nmi: " status_of("nmi") ")") \
		(status_of("nosched") != "off" ? "" : \
			"; delayed tasks (to see them: echo 1 >/proc/trace_irqoff/nosched)")
	if (text != "")
		print "Not seen: " substr(text, 3) "."
}

function print_notes(	older, lost, n, i, file) {
	if (status_of("enabled") == "0")
		print "Note: tracing is off (trace-irqoff on)."
	lost = counted("records_lost")
	older = happened == "" ? status_of("records_overwritten") + 0 : \
		happened - nr_windows - nr_filtered - lost
	if (older > 0)
		print "Note: " plural(older, "older record") (older == 1 ? " was" : " were") " overwritten (room for " \
			("nr_records" in status ? status_of("nr_records") : "1024") \
			"; load with nr_records=8192 to keep more)."
	if (lost > 0)
		print "Note: " plural(lost, "window") " left no record: too many ended at the same time."
	n = split(INPUT_FILES, file, " ")
	for (i = 1; i <= n; i++)
		if (file[i] in nr_bad)
			print "Note: " plural(nr_bad[file[i]], "line") " of " \
				(file[i] == "records" ? "the records" : file[i]) \
				" could not be read."
}

# Windows that were counted, and of which there is no record that can be read.
function missing_windows(	missing) {
	missing = happened == "" ? status_of("records_overwritten") + counted("records_lost") : \
		happened - nr_windows - nr_filtered
	if (missing < 0)
		missing = 0
	return happened == "" && "records" in nr_bad ? missing + nr_bad["records"] : missing
}

function summary(c) {
	return named(c) ": " held_by(c) ", " plural(c_windows[c], "window") ", worst " \
		duration(c_worst_ns[c]) ", " duration(c_total_ns[c]) " in all"
}

# The culprit with the most time. Then the windows that no function explains, if they took longer,
# and the longest single window, if it has another culprit.
function print_answer(	c, i, unnamed) {
	c = answer_c()
	printf "%s: %s%s\n", (c_rank[c] == RANK_CULPRIT ? "Culprit" : "Nobody named"), summary(c),
	       missing_windows() ? "; " plural(missing_windows(), "more window") " without a record" : ""
	if (c in c_worst_storm && c_nr_storms[c] * 2 > c_windows[c])
		print "But: " storm_text(c_worst_storm[c])
	unnamed = 0
	for (i = nr_culprits; i > 0 && c_rank[rank[i]] == RANK_NOBODY; i--)
		if (!unnamed || c_total_ns[rank[i]] > c_total_ns[unnamed])
			unnamed = rank[i]
	if (unexplained_c && c_rank[rank[1]] == RANK_CULPRIT && has_row(1))
		print "Also: " summary(rank[1])
	else if (unnamed && unnamed != c && c_total_ns[unnamed] > c_total_ns[c])
		print "Not explained: " summary(unnamed)
	if (worst_n && win_c[worst_n] != c && win_c[worst_n] != rank[1])
		printf "Worst: %s, %s on CPU %s at %s: %s\n", duration(win_latency_ns[worst_n]),
		       held(win_kind[worst_n]), win_cpu[worst_n],
		       clock(win_end[worst_n]), named(win_c[worst_n])
}

function print_frames(stack, indent,	frame, n) {
	for (n = split(stack, frame, ";"); n > 0; n--)
		print indent frame[n]
}

# The task of a sample, if it is not the one at the end.
function sampled_task(w, t) {
	return task_pid[t] == task_pid[win_task[w]] ? "" : ", " task(t) ", " place(task_cgroup[t])
}

function print_window(w,	i, n, offset_ns, sample, by, t) {
	t = win_task[w]
	printf "  %s  CPU %s  %s for %s", win_open[w] ? "open now" : clock(win_end[w]), win_cpu[w],
	       held_in(w), win_begin_unseen[w] ? for_at_least(w) : \
	       duration(win_latency_ns[w]) (win_open[w] ? " so far" : " to " duration_up(win_max_ns[w]))
	if (task_state[t] != "irq-off")
		printf ": %s", why_held(task_state[t])
	if (win_pending[w] != "-")
		printf "; softirqs that waited: %s", win_pending[w]
	if (win_steal_ns[w] > 0)
		printf "; %s of it stolen by the hypervisor", duration(win_steal_ns[w])
	if (win_paused_ns[w] > 0)
		printf "; for %s the CPU executed nothing", duration(win_paused_ns[w])
	print ""
	if (without_name(w) ~ /^(paused|unsampled)$/) {
		print ""
		return
	}
	printf "    %s, %s\n", task(t), place(task_cgroup[t])
	if (is_storm(w))
		print "    " storm_text(w)
	n = samples_of(w, offset_ns, sample, by)
	for (i = 1; i <= n; i++) {
		printf "    after %s%s:", duration(offset_ns[i]), sampled_task(w, by[i])
		if (i > 1 && sample[i] == sample[i - 1])
			print " the same"
		else {
			print ""
			print_frames(stack_text[sample[i]], "      ")
		}
	}
	if (!win_open[w] && stack_text[win_stack[w]] != "-") {
		print "    at the end:"
		print_frames(stack_text[win_stack[w]], "      ")
	}
	print ""
}

# Those with the same culprit have much the same stacks.
function print_open_windows_with_stacks(	w) {
	for (w = 1; w <= nr_open; w++)
		if (win_nr_samples[w] && is_first_open(w))
			print_window(w)
}

# Of the first culprits, as many as "top" says. A window that waited for another one is not an
# example.
function print_longest_windows(	w, i, c, longest, shown) {
	for (w = nr_open + 1; w <= nr_rows; w++) {
		c = win_c[w]
		if (!win_holder[w] && (!(c in longest) || win_latency_ns[w] > win_latency_ns[longest[c]]))
			longest[c] = w
	}
	shown = 0
	for (i = 1; i <= nr_culprits && shown < top; i++) {
		if (!(rank[i] in longest) || !has_row(i))
			continue
		printf "%3d", i
		print_window(longest[rank[i]])
		shown++
	}
}

function print_text() {
	print_open()
	find_storms()
	find_row_min()
	if (nr_windows)
		print_answer()
	else
		print_nothing()
	if (is_filtered())
		print filter_text()
	printf "\n%s, Linux %s", host, release
	if ("threshold" in status)
		printf ": threshold %s, period %s, CPUs %s", status_of("threshold"),
		       status_of("sampling_period"), status_of("cpus")
	print (spent == "" ? "" : ", " spent " s")
	print_unseen()
	print_notes()
	if (nr_windows) {
		printf "%s: %s with interrupts off, %s of delayed softirqs%s\n\n",
		       plural(nr_windows, "window"), kind_windows["hardirq"], kind_windows["softirq"],
		       kind_windows["nosched"] ? ", " kind_windows["nosched"] " of delayed tasks" : ""
		print "By time; time with interrupts off counts four times" \
			(kind_windows["nosched"] ? ", delayed tasks 0.8 times" : "") \
			"; rows in parentheses name no function:\n"
		print_culprits()
	}
	print_distribution()
	if (nr_open) {
		print "\nOpen windows, stacks from the inside out:\n"
		print_open_windows_with_stacks()
	}
	if (nr_windows && top) {
		print "\nThe longest window of each, stacks from the inside out:\n"
		print_longest_windows()
	}
}
