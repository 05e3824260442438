# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Filters of the caller (only_cpu and others, see main.awk). A window that does not match is in no
# output, but takes part in finding culprits: the holder of a lock may not match, and its waiters may.

function is_wanted(w,	cgroup) {
	cgroup = task_cgroup[win_task[w]]
	return (only_cpu == "" || win_cpu[w] == only_cpu) && (only_kind == "" || win_kind[w] == only_kind) && \
	       win_latency_ns[w] >= only_min_ns + 0 && (win_open[w] || win_end[w] + 0 >= only_since + 0) && \
	       (only_cgroup == "" || (only_cgroup ~ /^[0-9]+$/ ? cgroup == only_cgroup : \
		cgroup in cgroup_path && index(cgroup_path[cgroup], only_cgroup))) && \
	       (only_comm == "" || is_in_window(only_comm, w))
}

# Whether the task at the end, or the task of a sample, has this name.
function is_in_window(comm, w,	i, n, offset_ns, stack, by) {
	n = samples_of(w, offset_ns, stack, by)
	by[++n] = win_task[w]
	for (i = 1; i <= n; i++)
		if (task_comm[by[i]] == comm)
			return 1
	return 0
}

function is_filtered() {
	return only_cpu only_kind only_comm only_cgroup only_min_ns only_since != ""
}

# "Only: CPU 3, at least 100 ms; 17 other windows"
function filter_text(	text) {
	text = (only_cpu == "" ? "" : ", CPU " only_cpu) (only_kind == "" ? "" : ", " held(only_kind)) \
		(only_comm == "" ? "" : ", task " printable(only_comm)) \
		(only_cgroup == "" ? "" : ", cgroup " printable(only_cgroup)) \
		(only_min_ns == "" ? "" : ", at least " duration(only_min_ns)) \
		(only_since == "" ? "" : ", ended since " clock(with_fraction(only_since)))
	return "Only: " substr(text, 3) "; " plural(nr_filtered, "other window")
}
