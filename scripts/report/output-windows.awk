# SPDX-License-Identifier: GPL-2.0
#
# The newest windows with their stacks: the last parts of mode=text.

function print_frames(stack, indent,	frame, n) {
	for (n = split(stack, frame, ";"); n > 0; n--)
		print indent frame[n]
}

function print_window(w,	i, n, offset_ns, sample) {
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
	for (i = 1; i <= n; i++) {
		printf "    after %s:", duration(offset_ns[i])
		if (i > 1 && sample[i] == sample[i - 1])
			print " the same"
		else {
			print ""
			print_frames(stack_text[sample[i]], "      ")
		}
	}
	if (!win_open[w]) {
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

function print_newest_windows(	n) {
	for (n = nr_windows; n > 0 && n > nr_windows - newest; n--)
		print_window(row_of(n))
}
