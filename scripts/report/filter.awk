# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Filters of the caller (only_cpu and others, see main.awk). A window that does not match is in no
# output and takes no part in finding culprits.

function is_wanted(w) {
	return (only_cpu == "" || win_cpu[w] == only_cpu) && \
	       (only_kind == "" || win_kind[w] == only_kind) && \
	       win_latency_ns[w] >= only_min_ns + 0 && \
	       (win_open[w] || win_end[w] + 0 >= only_since + 0) && \
	       (only_cgroup == "" || is_wanted_cgroup(win_cgroup[w])) && \
	       (only_comm == "" || has_task(w, only_comm))
}

# only_cgroup is an ID or a part of the path.
function is_wanted_cgroup(id) {
	return only_cgroup ~ /^[0-9]+$/ ? id == only_cgroup : \
	       id in cgroup_path && index(cgroup_path[id], only_cgroup)
}

# The task at the end, or the task of a sample.
function has_task(w, comm,	i, n, offset_ns, stack, task) {
	if (win_comm[w] == comm)
		return 1
	n = samples_of(w, offset_ns, stack, task)
	for (i = 1; i <= n; i++)
		if (task[i] && task_comm[task[i]] == comm)
			return 1
	return 0
}

function is_filtered() {
	return only_cpu only_kind only_comm only_cgroup only_min_ns only_since != ""
}

# "Only: CPU 3, at least 100 ms; 17 other windows"
function filter_text(	text) {
	text = (only_cpu == "" ? "" : ", CPU " only_cpu) \
		(only_kind == "" ? "" : ", " held(only_kind)) \
		(only_comm == "" ? "" : ", task " printable(only_comm)) \
		(only_cgroup == "" ? "" : ", cgroup " printable(only_cgroup)) \
		(only_min_ns == "" ? "" : ", at least " duration(only_min_ns)) \
		(only_since == "" ? "" : ", ended since " clock(with_fraction(only_since)))
	return "Only: " substr(text, 3) "; " plural(nr_filtered, "other window")
}
