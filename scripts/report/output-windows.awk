# SPDX-License-Identifier: GPL-2.0
#
# Windows with their stacks: the last parts of mode=text.
#
# Owns: longest_row[p], the row of the longest window of a path p; nr_longest, how many there are

BEGIN {
	nr_longest = 0
	LONGEST_MAX = 1000	# paths
}

# The ended window in row w is the longest one of its path so far. Windows that the hypervisor made are apart.
function keep_longest(w,	p, to) {
	p = win_paths[w] + 0 " " is_stolen(w)
	if (!(p in longest_row)) {
		if (nr_longest == LONGEST_MAX)
			return
		longest_row[p] = nr_open + 1 + ++nr_longest
	} else if (win_latency_ns[w] + 0 <= win_latency_ns[longest_row[p]] + 0)
		return
	to = longest_row[p]
	win_open[to] = win_open[w]
	win_begin_unseen[to] = win_begin_unseen[w]
	win_kind[to] = win_kind[w]
	win_cpu[to] = win_cpu[w]
	win_end[to] = win_end[w]
	win_latency_ns[to] = win_latency_ns[w]
	win_max_ns[to] = win_max_ns[w]
	win_steal_ns[to] = win_steal_ns[w]
	win_state[to] = win_state[w]
	win_comm[to] = win_comm[w]
	win_pid[to] = win_pid[w]
	win_cgroup[to] = win_cgroup[w]
	win_pending[to] = win_pending[w]
	win_stack[to] = win_stack[w]
	win_samples[to] = win_samples[w]
	win_in[to] = win_in[w]
}

function print_frames(stack, indent,	frame, n) {
	for (n = split(stack, frame, ";"); n > 0; n--)
		print indent frame[n]
}

# The task of a sample, if it is not the one at the end.
function sampled_task(w, text,	by) {
	return text == "-" || !split_task(text, by) || by[3] == win_pid[w] ? "" : \
		", " task(by["comm"], by[3]) ", " place(by[5])
}

function print_window(w,	i, n, offset_ns, sample, in_) {
	printf "  %s  CPU %s  %s for %s", win_open[w] ? "open now" : clock(win_end[w]), win_cpu[w],
	       held(win_kind[w]), win_begin_unseen[w] ? for_at_least(w) : \
	       duration(win_latency_ns[w]) (win_open[w] ? " so far" : " to " duration_up(win_max_ns[w]))
	if (win_kind[w] == "softirq")
		printf ": %s", why_held(win_state[w])
	if (win_pending[w] != "-")
		printf "; softirqs that waited: %s", win_pending[w]
	if (win_steal_ns[w] > 0)
		printf "; %s of it stolen by the hypervisor", duration(win_steal_ns[w])
	printf "\n    %s, %s\n", task(win_comm[w], win_pid[w]), place(win_cgroup[w])
	n = samples_of(w, offset_ns, sample)
	split(win_in[w], in_, " ")
	for (i = 1; i <= n; i++) {
		printf "    after %s%s:", duration(offset_ns[i]), sampled_task(w, in_[i])
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

# Of the first culprits, as many as "newest" says.
function print_longest_windows(	n, i, c, longest, shown, p) {
	for (n = 1; n <= nr_windows; n++) {
		c = ended_c[n]
		p = main_path(n) " " ended_stolen[n]
		# A longer window of the same path may have another culprit.
		if (ended_holder[n] || !(p in longest_row) || win_end[longest_row[p]] != ended_time[n])
			continue
		if (!(c in longest) || ended_ns[n] > ended_ns[longest[c]])
			longest[c] = n
	}
	shown = 0
	for (i = 1; i <= nr_culprits && shown < newest; i++) {
		if (!(rank[i] in longest))
			continue
		n = longest[rank[i]]
		printf "%3d", i
		print_window(longest_row[main_path(n) " " ended_stolen[n]])
		shown++
	}
}
