# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Pods: whose tasks were in the windows, and whose tasks waited for another CPU.
#
# Owns: pod[1 ... nr_pods], the largest first; pod_ns[pod], pod_windows[pod] of windows in which its tasks ran;
#	pod_waited_ns[pod], pod_waits[pod] of windows in which they waited for a lock or for other CPUs

BEGIN {
	nr_pods = 0
	MOST_PODS = 20		# rows of the table
}

# The pod of a cgroup; "": none.
function pod_of(cgroup,	path, name) {
	path = cgroup in cgroup_path ? cgroup_path[cgroup] : ""
	if (!match(path, pod_pattern))
		return ""
	name = substr(path, RSTART + 3, RLENGTH - 3)
	gsub(/_/, "-", name)
	return name
}

function find_pods(	w, part, name, ns, order) {
	for (w = nr_open + 1; w <= nr_rows; w++) {
		split(win_paths[w], part, " ")
		# A handler only came while the task ran.
		if (w in win_unwanted || path_context[part[1]] != "task" || \
		    w in win_nobody && win_nobody[w] !~ /^(lock|cpus)$/ || (name = pod_of(task_cgroup[part[4] + 0])) == "")
			continue
		if (!(name in order)) {
			pod[++nr_pods] = name
			order[name] = nr_pods
		}
		if (w in win_holder || w in win_nobody) {
			pod_waits[name]++
			pod_waited_ns[name] += win_latency_ns[w]
		} else {
			pod_windows[name]++
			pod_ns[name] += win_latency_ns[w]
		}
	}
	for (w = 1; w <= nr_pods; w++)
		ns[pod[w]] = pod_ns[pod[w]] + pod_waited_ns[pod[w]]
	sort_by(pod, nr_pods, ns, order)
}

# "41 windows, 9.30 s"
function pod_share(nr, ns) {
	return nr ? plural(nr, "window") ", " duration(ns) : "-"
}

function print_pods(	i, name) {
	printf "\nPods:\n  %-24s %-24s %s\n", "its tasks ran", "its tasks waited", "pod"
	for (i = 1; i <= nr_pods && i <= MOST_PODS; i++) {
		name = pod[i]
		printf "  %-24s %-24s %s\n", pod_share(pod_windows[name], pod_ns[name]), pod_share(pod_waits[name], pod_waited_ns[name]), name
	}
	if (nr_pods > MOST_PODS)
		printf "  and %d more\n", nr_pods - MOST_PODS
}
