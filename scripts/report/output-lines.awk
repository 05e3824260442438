# SPDX-License-Identifier: GPL-2.0
#
# mode=lines: one line for each window, for who follows them as they come.

function print_line(w) {
	printf "%s CPU %s %s for %s: %s\n", clock(win_end[w]), win_cpu[w], held(win_kind[w]),
	       win_begin_unseen[w] ? for_at_least(w) : duration(win_latency_ns[w]),
	       own_culprit_in(win_paths[w])
}

# From where to go on the next time.
function print_last_seq() {
	print last_seq >last_to
	close(last_to)
}
