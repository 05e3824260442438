# SPDX-License-Identifier: GPL-2.0
#
# mode=lines: one line for each window, for who follows them as they come.
#
# Owns: line_text[n]

# Says who, as far as it is known by then; of a window that waited when all are known.
function keep_line(n, w) {
	line_text[n] = sprintf("%s CPU %s %s for %s: %s", clock(win_end[w]), win_cpu[w], held(win_kind[w]),
		win_begin_unseen[w] ? for_at_least(w) : duration(win_latency_ns[w]),
		n in wt_c ? named(wt_c[n]) : "")
}

function print_lines(	n) {
	for (n = 1; n <= nr_windows; n++)
		print line_text[n] (n in wait_kind ? named(wt_c[n]) "; " wait_words(n) : "")
	print_last_seq()
}

# From where to go on the next time.
function print_last_seq() {
	print last_seq >last_to
	close(last_to)
}
