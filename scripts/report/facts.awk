# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# The sentences about a culprit, which text, JSON and page print.
#
# summary() makes the first line of a report. find_facts() makes the lines below it.
#
# Owns: fact_label[i], fact_text[i] up to nr_facts

# Awk itself would print 1.03293e+06 after twelve days.
function after_boot(seconds) {
	return sprintf(seconds + 0 < 1000000 ? "%.6g" : "%.0f", seconds)
}

# "2026-11-21 04:10:07 to 04:10:15 UTC"
function moments(first, last,	text) {
	if (last + 0 == 0)
		return "at a time that the log does not say"
	if (is_since_boot(last))
		return after_boot(first) (first == last ? "" : " to " after_boot(last)) " s after boot"
	first = clock(first)
	last = clock(last)
	text = substr(first, 1, 10) " " substr(first, 12, 8)
	if (substr(first, 1, 19) != substr(last, 1, 19))
		text = text " to " (substr(last, 1, 10) == substr(first, 1, 10) ? "" : substr(last, 1, 10) " ") \
			substr(last, 12, 8)
	return text zone()
}

# "ended 2026-11-21 04:10:07 to 04:10:15 UTC, every 2.0 s": a spacing is printed if
# none is more than 1.5 times another.
function when(c,	text, every) {
	if (!c_windows[c])
		return "the longest wait ended " moments(win_end[c_longest_waiter[c]], win_end[c_longest_waiter[c]])
	text = "ended " moments(at_second(c_first_end[c]), at_second(c_last_end[c]))
	if (c_windows[c] == 2 && c_max_gap_s[c] >= 1)
		return text ", " about(c_max_gap_s[c]) " apart"
	every = c_windows[c] > 2 ? (c_last_end[c] - c_first_end[c]) / (c_windows[c] - 1) : 0
	return every < 0.01 || c_max_gap_s[c] > 1.5 * c_min_gap_s[c] ? text : text ", every " about(every)
}

function who_and_where(c,	where) {
	if (c_context[c] !~ /^(task|mixed)$/)
		return who(c)
	where = in_place(task_cgroup[has_main_task(c) ? c_main_task[c] : c_task[c]])
	sub(/^, cgroup .*, pod /, ", pod ", where)
	if (c_cgroups[c] > 1)
		sub(/^, /, ", in " c_cgroups[c] " cgroups, " (has_main_task(c) ? "mostly " : "the last: "), where)
	return who(c) where
}

function how_sure(c) {
	if (!c_samples[c])
		return "no samples" (has_samples() ? "" : " (nmi: " status_of("nmi") ")") "; it is only where " \
			(c_kind[c] == "hardirq" ? "interrupts came back on" : \
			 c_kind[c] == "softirq" ? "softirqs could run again" : "the windows ended")
	return (c_all_samples[c] == 1 ? "the only sample in these windows shows it" (c_at_end[c] ? ", and the end" : "") : \
		c_samples[c] " of " c_all_samples[c] " samples in these windows show it" \
		(c_total_ns[c] > c_samples[c] * 1e9 ? " (one in " duration(c_total_ns[c] / c_samples[c]) ")" : "")) \
		(c_went_on[c] ? "; in " c_went_on[c] " it had run since the one before" : "") \
		(c_is_weak[c] ? ", but it rarely is the cause: " why_helping(plain(c_function[c])) : \
		 is_alone(c) ? ", where the CPU waits for others; no window shows why they did not answer" : "")
}

# How the function took its time, if not by itself.
function calls_of(c) {
	return c_again[c] * 2 > c_samples[c] ? "called again and again (for packets, timers or works), not one long call" : \
		c_contended[c] * 2 > c_went_on[c] ? "many short waits for a lock that several CPUs take, not one long wait" : ""
}

# Why there are two culprits.
function shared_text(c,	d) {
	if (!(c in c_partner) || nr_shared[c, c_partner[c]] * 2 < c_windows[c])
		return ""
	d = c_partner[c]
	return (c_windows[c] == 1 ? "this window was" : nr_shared[c, d] " of these " c_windows[c] " windows were") " also in " \
		c_function[d] " for a time: each row has its own part"
}

function storms_of(c) {
	return !(c in c_worst_storm) ? "" : storm_text(c_worst_storm[c]) \
		(c_nr_storms[c] < c_windows[c] ? " (" c_nr_storms[c] " of " c_windows[c] " windows)" : "")
}

function harm(c,	text, n, cpus) {
	if (!c_windows[c])
		return waits_on(c)
	text = cpus_named(cpu_ranges(c_cpus[c]))
	if (length(text) > 40) {
		n = read_cpus(status_of("cpus"), cpus)
		text = c_nr_cpus[c] (n > 0 ? " of " n : "") " CPUs"
	}
	text = (c_kind[c] == "hardirq" ? text " took no interrupts for " : c_kind[c] == "softirq" ? \
		"softirqs" (c_pending[c] == "" ? "" : " (" c_pending[c] ")") " waited on " text " for " : c_kind[c] == "nosched" ? "other tasks waited on " text " for " : \
		text (c_nr_cpus[c] == 1 ? " was" : " were") " blocked for ") \
		(c_nr_cpus[c] > 1 ? "up to " duration(c_worst_whole_ns[c]) " at a time, in all for " : "") duration(c_whole_ns[c])
	if (c_nr_cpus[c] == 1 && spent + 0 && c_whole_ns[c] <= spent * 1e9)
		text = text sprintf(" of %s s (%.1f %%)", spent, c_whole_ns[c] / spent / 1e7)
	if (c_pending[c] != "" && c_kind[c] != "softirq")
		text = text "; softirqs that waited: " c_pending[c]
	if (c_waiters[c])
		text = text "; " waits_on(c)
	return text
}

function waited_for(c) {
	return !c_waiters[c] ? "" : "other CPUs waited for it " (c_waiters[c] == 1 ? "once, for " : c_waiters[c] " times, up to ") \
		duration(win_latency_ns[c_longest_waiter[c]])
}

# With the longest of these waits.
function waits_on(c,	w) {
	w = c_longest_waiter[c]
	return !c_waiters[c] ? "" : waited_for(c) ", on CPU " win_cpu[w] " in " within(path_context[main_path(w)], task(win_task[w]))
}

# The tasks of a culprit whose windows a filter leaves out are not known.
function perhaps_holder(c,	h) {
	if (!(c in c_overlap))
		return ""
	h = win_c[c_overlap[c]]
	return "open at the same time, perhaps the holder: " (c_task[h] ? named(h) : c_function[h])
}

# Where windows without a culprit waited, or where their pauses ended.
function place_text(c) {
	if (c_nr_place[c] < 2 || c_nr_place[c] * 2 < c_windows[c])
		return ""
	return c_nr_place[c] " of " c_windows[c] (c_reason[c] == "paused" ? " pauses ended in " c_place[c] \
		": if this function reads or writes a device, the device may not have answered" : \
		" windows waited in " c_place[c])
}

function path_text(c) {
	return (c_inside[c] != "" && c_samples[c] ? c_inside[c] " < " : "") c_function[c] \
		(c_callers[c] == "" ? "" : " < " c_callers[c])
}

function facts(c) {
	if (!c_windows[c])
		return c_function[c] ": " waited_for(c)
	return c_function[c] (c_deep[c] == "" ? "" : ", in " c_deep[c]) ": " held_by(c) ", " plural(c_windows[c], "window") ", longest " \
		duration(c_worst_ns[c]) ", in all " duration(c_total_ns[c])
}

# The hypervisor, for example, is the cause, and no function is.
function summary(c,	text) {
	text = facts(c)
	if (!c_is_named[c] && c_reason[c] ~ /^(stolen|stopped|paused|crowd|shared|self)$/)
		return "Cause: " substr(text, 2, length(c_function[c]) - 2) substr(text, length(c_function[c]) + 1)
	if (!c_is_named[c])
		return "No culprit: " text
	return (is_sure(c) ? "Culprit: " : \
		is_alone(c) ? "Probably a CPU that did not answer, or " : "Probably ") text
}

function add_fact(label, text) {
	if (text == "")
		return
	fact_label[++nr_facts] = label
	fact_text[nr_facts] = text
}

# The lines below the summary of culprit c.
function find_facts(c,	is_named) {
	is_named = c_is_named[c]
	nr_facts = 0
	add_fact("but", storms_of(c))
	if (is_named)
		add_fact("who", who_and_where(c))
	else if (c_reason[c] ~ /^(lock|cpus|crowd|shared)$/)
		add_fact("who", (c_reason[c] ~ /^(lock|cpus)$/ ? "waited: " : "ran: ") \
			within(c_reason[c] ~ /^(lock|cpus)$/ ? path_context[main_path(c_worst[c])] : "task", \
			c_pids[c] == 1 ? task(c_task[c]) : c_pids[c] " tasks, last " with_pid(c_task[c])))
	add_fact("from", is_named ? origin_text(c) : "")
	add_fact("when", when(c))
	if (is_named) {
		add_fact("sure", how_sure(c))
		add_fact("how", calls_of(c))
		add_fact("with", shared_text(c))
		add_fact("harm", harm(c))
		add_fact("path", path_text(c))
		if (has_fix(c))
			add_fact("known", other_cause_text(c))
		else if (cause_of(c)) {
			add_cause_facts(cause_of(c), is_maybe[c])
			add_fact("state", state_text(cause_of(c)))
		}
	}
	add_fact("but", perhaps_holder(c))
	add_fact("where", place_text(c))
	add_fact("next", is_named ? next_of(c) : next_step(c_reason[c]))
}

# When an open window began; "" if it is not known.
function open_since(w,	begin) {
	if (!(win_end[w] + 0) || w in win_begin_unseen)
		return ""
	begin = sprintf("%.6f", win_end[w] - win_latency_ns[w] / 1e9)
	return moments(begin, begin)
}

function seen_in(stack, offset_ns) {
	return "after " duration(offset_ns) " in " stack_frame[stack]
}

# The lines below line i of the open windows.
function find_open_facts(i,	w, n, offset_ns, stack, by, part) {
	w = open_longest[i]
	nr_facts = 0
	if (w) {
		n = samples_of(w, offset_ns, stack, by)
		split(win_paths[w], part, " ")
		# Without a sample, the task is not known.
		add_fact("who", without_name(w) == "" && n ? within(path_context[part[1]], window_task(w)) : "")
		add_fact("since", open_since(w))
		add_fact("seen", !n ? "no sample" : n == 1 ? "1 sample, " seen_in(stack[1], offset_ns[1]) : \
			n " samples: the first " seen_in(stack[1], offset_ns[1]) ", the last " seen_in(stack[n], offset_ns[n]))
	}
	add_fact("next", next_if_open(w))
}

function summary_of_answer() {
	return summary(answer) (missing_windows() ? "; " plural(missing_windows(), "more window") " without a record" : "")
}
