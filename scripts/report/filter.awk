# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Filters of the caller (only_cpu and others, see main.awk). A window that does not match is in no output and
# takes no part in finding culprits.

function is_wanted(cpu, kind, latency_ns, cgroup, end) {
	return (only_cpu == "" || cpu == only_cpu) && (only_kind == "" || kind == only_kind) && \
	       latency_ns + 0 >= only_min_ns + 0 && (end == "" || end + 0 >= only_since + 0) && \
	       (only_cgroup == "" || (only_cgroup ~ /^[0-9]+$/ ? cgroup == only_cgroup : \
		cgroup in cgroup_path && index(cgroup_path[cgroup], only_cgroup)))
}

# The task at the end, or the task of a sample.
function is_wanted_comm(comm, task_of_sample, n,	i, by) {
	if (only_comm == "" || comm == only_comm)
		return 1
	for (i = 1; i <= n; i++)
		if (split_task(task_of_sample[i], by) && by["comm"] == only_comm)
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
