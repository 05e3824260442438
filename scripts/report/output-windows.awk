# SPDX-License-Identifier: GPL-2.0
#
# The newest windows with their stacks: the last part of mode=text.

function print_frames(stack, indent,	frame, n) {
	for (n = split(stack, frame, ";"); n > 0; n--)
		print indent frame[n]
}

# "TIMER: estimation_timer", when it is known.
function handler_of(w, before, after) {
	if (win_vector[w] == "" && win_handler[w] == "")
		return ""
	return before (win_vector[w] == "" ? "an interrupt" : replaced(win_vector[w], ",", " or ")) \
		(win_handler[w] == "" ? "" : ": " win_handler[w]) after
}

# What came while softirqs were held up, as far as the last look. With interrupts off nothing comes.
function print_counts(w,	n, offset_ns, sample) {
	if (win_irqs[w] == "" || win_softirqs[w] == "" || !(n = samples_of(w, offset_ns, sample)))
		return
	printf "    in the first %s: %s, %s\n", duration(offset_ns[n]), plural(win_irqs[w], "numbered interrupt"),
	       win_softirqs[w] == "-" ? "no softirq ran" : "softirqs that ran: " win_softirqs[w]
}

# Window number n, in row w.
function print_window(n, w,	i, offset_ns, sample) {
	printf "  %s  CPU %s  %s for %s", clock(win_end[w]), win_cpu[w], held(win_kind[w]),
	       win_begin_unseen[w] ? for_at_least(w) : \
	       duration(win_latency_ns[w]) " to " duration_up(win_max_ns[w])
	if (win_kind[w] == "hardirq")
		printf "%s", handler_of(w, ": a handler was running (", ")")
	else
		printf ": %s%s", why_held(win_state[w]), handler_of(w, " (", ")")
	if (win_pending[w] != "-")
		printf "; softirqs that waited: %s", win_pending[w]
	if (win_steal_ns[w] > 0)
		printf "; %s of it stolen by the hypervisor", duration(win_steal_ns[w])
	printf "\n    %s%s, %s\n", win_kind[w] == "nosched" ? "kept by " : "", task(win_comm[w], win_pid[w]), place(win_cgroup[w])
	print_counts(w)
	if (n in wait_kind)
		print "    " wait_words(n)
	n = samples_of(w, offset_ns, sample)
	for (i = 1; i <= n; i++) {
		printf "    after %s:", duration(offset_ns[i])
		if (i > 1 && sample[i] == sample[i - 1])
			print " the same"
		else {
			print ""
			print_frames(sample[i], "      ")
		}
	}
	print win_kind[w] == "nosched" ? "    when it was last seen there:" : "    at the end:"
	print_frames(win_stack[w], "      ")
	print ""
}

function print_newest_windows(	n) {
	for (n = nr_windows; n > 0 && n > nr_windows - newest; n--)
		print_window(n, row_of(n))
}
