# SPDX-License-Identifier: GPL-2.0
#
# What is printed during a run. mode=live: the screen of "top", for 80 columns. mode=lines: a line
# for each new window. mode=worst: the longest window, for the progress line.

# Open windows come first: what goes on now is the most urgent.
function print_live(	i, c) {
	print_open("\n      ")
	if (!nr_windows) {
		print "no windows so far"
		return
	}
	printf "%9s %9s %8s  %s\n", "total", "worst", "windows", "culprit"
	for (i = 1; i <= nr_culprits; i++) {
		c = rank[i]
		printf "%9s %9s %8d  %s\n", duration(c_total_ns[c]), duration(c_worst_ns[c]),
		       c_windows[c], named(c)
	}
}

function print_line(w) {
	printf "%s CPU %s %s for %s: %s\n", clock(win_end[w]), win_cpu[w], held(win_kind[w]),
	       win_begin_unseen[w] ? length_of(w) : duration(win_latency_ns[w]), own_culprit_in(w)
}

# The next call continues after this record.
function print_last_seq() {
	print last_seq >last_to
	close(last_to)
}

function print_worst(	w, worst) {
	worst = nr_open + 1
	for (w = worst; w <= nr_rows; w++)
		if (win_latency_ns[w] > win_latency_ns[worst])
			worst = w
	if (nr_windows)
		printf "%d ms %s on CPU %s\n", win_latency_ns[worst] / 1e6, win_kind[worst], win_cpu[worst]
	else
		print ""
}
