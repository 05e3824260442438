# SPDX-License-Identifier: GPL-2.0
#
# mode=live: the screen of "top". Two lines for each culprit, for 80 columns. Open windows come
# first, as one cannot wait for them.

function kind_worst_of(kind) {
	return kind_windows[kind] ? sprintf("; %s: %d, worst %s", held(kind), kind_windows[kind],
		duration(kind_worst_ns[kind])) : ""
}

function print_live(	i, c, w) {
	print_before()
	print_late()
	for (w = 1; w <= nr_open; w++)
		if (is_first_open(w))
			print "OPEN: " open_windows(w, "\n      ")
	if (!nr_windows) {
		print "no windows so far"
		return
	}
	print plural(nr_windows, "window") kind_worst_of("hardirq") kind_worst_of("softirq")
	for (i = 1; i <= nr_culprits; i++) {
		c = rank[i]
		printf "\n%3d  %s\n", i, named(c)
		printf "     %s, %s, worst %s, %s in all, CPU %s\n", held(c_kind[c]),
		       plural(c_windows[c], "window"), duration(c_worst_ns[c]),
		       duration(c_total_ns[c]), cpu_list(c_cpus[c])
	}
}
