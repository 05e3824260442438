# SPDX-License-Identifier: GPL-2.0
#
# The outputs that a run prints before it ends:
#	live	the screen of "top": two lines for each culprit, at most 80 columns
#	lines	a line for each new window

function kind_worst_of(kind) {
	return kind_windows[kind] ? sprintf("; %s: %d, longest %s", held(kind), kind_windows[kind],
		duration(kind_worst_ns[kind])) : ""
}

# Open windows come first: what goes on now is the most urgent.
function print_live(	i, c, w) {
	print_late()
	for (w = 1; w <= nr_open; w++)
		if (is_first_open(w))
			print "OPEN: " open_windows(w, "\n      ")
	if (!nr_windows) {
		print "no windows so far"
		return
	}
	print plural(nr_windows, "window") kind_worst_of("hardirq") kind_worst_of("softirq") kind_worst_of("nosched")
	for (i = 1; i <= nr_ranked; i++) {
		c = rank[i]
		printf "\n%3d  %s\n", i, named(c)
		printf "     %s, %s, longest %s, in all %s, CPU %s\n", held_by(c),
		       plural(c_windows[c], "window"), duration(c_worst_ns[c]),
		       duration(c_total_ns[c]), cpu_list(c_cpus[c])
	}
}

function print_line(w) {
	print clock(win_end[w]) " CPU " win_cpu[w], held_in(w) " for " lasted(w) ": " own_culprit_in(w)
}
