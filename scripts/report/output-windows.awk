# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# mode=text: windows with their stacks.

# The outer frames that all stacks of window w share, which are printed once. The stack at the end counts
# if it has these frames at all.
function shared_stack(w, n, stack,	i, shared, with_end) {
	shared = n ? stack[1] : is_open(w) ? 0 : win_stack[w]
	for (i = 2; i <= n; i++)
		shared = common_stack(shared, stack[i])
	with_end = is_open(w) ? 0 : common_stack(shared, win_stack[w])
	return with_end ? with_end : shared
}

function print_stack(head, stack, shared,	nr, word, inner) {
	inner = shared && common_stack(stack, shared) == shared
	nr = split(inner_frames(stack, inner ? stack_depth[shared] : 0), word, ";")
	if (!nr) {
		print head (inner ? "in " stack_frame[shared] " itself" : "-")
		return
	}
	word[1] = (inner ? "> " : "") word[1]
	print_words(head, nr, word, " > ", "              ")
}

function window_text(w,	t, text) {
	t = win_task[w]
	text = "CPU " win_cpu[w] ", " held_in(w) " for " \
	       lasted(w, is_open(w) ? " so far" : win_max_ns[w] == win_latency_ns[w] ? " or more" : \
		      " (at most " duration_up(win_max_ns[w]) ")") \
	       (is_open(w) ? ", open now" : !(win_end[w] + 0) ? "" : ", until " (is_since_boot(win_end[w]) ? moments(win_end[w], win_end[w]) : \
		substr(clock(win_end[w]), 1, 10) " " substr(clock(win_end[w]), 12, 12) zone()))
	if (task_state[t] != "irq-off" && !(task_state[t] == "paused" && w in win_paused_ns))
		text = text "; " why_held(task_state[t])
	if (win_pending[w] != "-")
		text = text "; softirqs that waited: " replaced(win_pending[w], ",", ", ")
	if (w in win_steal_ns)
		text = text "; " duration(win_steal_ns[w]) " of it stolen by the hypervisor"
	if (w in win_paused_ns)
		text = text "; for " duration(win_paused_ns[w]) " the CPU executed nothing"
	if (is_storm(w))
		text = text "; " storm_text(w)
	return text
}

function print_window(head, w,	i, n, offset_ns, sample, by, t, shared, word) {
	t = win_task[w]
	print_text_line(head, window_text(w), "    ")
	if (without_name(w) != "") {
		print ""
		return
	}
	print_text_line("   ", window_task(w), "      ")
	n = samples_of(w, offset_ns, sample, by)
	shared = shared_stack(w, n, sample)
	if (n && stack_depth[shared] > 1)
		print_words("   each stack begins: ", split(inner_frames(shared, 0), word, ";"), word, " > ", \
			    "              ")
	else
		shared = 0
	for (i = 1; i <= n; i++) {
		head = sprintf("  after %8s%s  ", duration(offset_ns[i]), task_pid[by[i]] == task_pid[t] ? "" : \
			", " task(by[i]) in_place(task_cgroup[by[i]]))
		if (i > 1 && sample[i] == sample[i - 1])
			print head "the same"
		else
			print_stack(head, sample[i], shared)
	}
	if (!is_open(w) && stack_text[win_stack[w]] != "-")
		print_stack("  at the end  ", win_stack[w], shared)
	print ""
}

# Whether window w tells more of its cause than window v: it has samples, or is longer.
function is_better_example(w, v) {
	if (!win_nr_samples[w] != !win_nr_samples[v])
		return win_nr_samples[w]
	return win_latency_ns[w] > win_latency_ns[v]
}

# Of the first culprits, as many as "top" says. A window that waited for another one is an example only
# if a filter hides the holder's window.
function print_examples(	w, i, c, example, shown) {
	for (w = nr_open + 1; w <= nr_rows; w++) {
		c = win_c[w]
		if (!(w in win_unwanted) && !(w in win_holder) && (!(c in example) || is_better_example(w, example[c])))
			example[c] = w
	}
	shown = 0
	for (i = 1; i <= nr_ranked && shown < top; i++) {
		c = rank[i]
		if (!has_row(i))
			continue
		# A culprit may have only parts of windows that are of other rows.
		w = c in example ? example[c] : c_windows[c] ? c_worst[c] : c_longest_waiter[c]
		print_window(i (c_windows[c] ? ": " : ", waited: "), w)
		shown++
	}
}
