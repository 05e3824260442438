# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# Windows summed up: for each kind, and for each culprit. The paths of a kind, context, task and cgroup
# are a tree. From its root down, a function that only dispatches divides the work among its
# children; the first other function is a culprit. It is named after the function where the paths part.
#
# Owns:
#	kind_windows[kind], kind_worst_ns[kind]
#	worst_w, worst_ns	row (0: none) and latency of the longest window
#	held_c[n]	the culprit of window n, an index into these:
#	nr_culprits, c_kind[c] (hardirq, softirq, mixed), c_function[c], c_context[c]
#	c_callers[c]	"inner < outer", as far as they are the same in all paths
#	c_inside[c]	where most of the time passed, below c_function[c]: "inner < outer"; or ""
#	c_windows[c], c_total_ns[c], c_worst_ns[c], c_samples[c]
#	c_waiters[c], c_waited_ns[c], c_waited_most_ns[c]	windows on other CPUs that waited for it
#	c_rank[c]	RANK_CULPRIT, or RANK_NOBODY: comes behind all of those
#	c_task[c]	the name that its tasks share
#	c_cgroup[c], c_comm[c], c_pid[c]	of its first window; of its last one
#	c_pids[c], c_comms[c], c_nr_cpus[c]	how many different ones
#	c_cpus[c]	"3,0,1", as they came
#	rank[1] ...	culprits, by c_rank[], then by time: interrupts off counts HARDIRQ_WEIGHT times
#	worst_n		the longest window that has a culprit; 0: none
# The tree. A node is a group and the frames down to it:
#	node_ns[node], node_samples[node], node_anchored_ns[node] (the function that ended
#	the window is here or below), node_leaf_ns[node], node_children[node] (frames), node_c[node]
#	path_node[p], ends_paths[node]	where a path ends
#	group[1] ... group[nr_groups]	roots

BEGIN {
	kind_windows["hardirq"] = kind_windows["softirq"] = 0
	kind_worst_ns["hardirq"] = kind_worst_ns["softirq"] = 0
	nr_culprits = worst_w = worst_ns = worst_n = nr_groups = 0
	RANK_CULPRIT = 0
	RANK_NOBODY = 1
	HARDIRQ_WEIGHT = 4
	# Only many samples tell a hot function from chance.
	MANY_SAMPLES = 8
	MOST = 0.8
	nobody_text["stopped"] = "(the hypervisor or firmware stopped this machine)"
	nobody_text["stolen"] = "(the hypervisor did not run this CPU)"
	nobody_text["handler"] = "(an interrupt handler, not sampled)"
	nobody_text["crowd"] = "(one task after the other, while ksoftirqd waited)"
	nobody_text["unsampled"] = "(nothing but entry code was seen)"
	nobody_text["lock"] = "(waited for a lock; its holder is not recorded)"
	nobody_text["switch"] = "(a task that had just left the CPU, not sampled)"
}

function add_kind(w,	kind, latency_ns) {
	kind = win_kind[w]
	latency_ns = win_latency_ns[w] + 0
	kind_windows[kind]++
	if (latency_ns > kind_worst_ns[kind])
		kind_worst_ns[kind] = latency_ns
	if (latency_ns > worst_ns) {
		worst_ns = latency_ns
		worst_w = w
	}
}

function group_of(p) {
	return path_kind[p] SUBSEP path_context[p] SUBSEP path_comm[p] SUBSEP path_cgroup[p]
}

# Time of a path, whose first anchor frames end in the function that ended the window.
function add_to_tree(p, anchor, ns, samples,	i, n, frame, node, child) {
	node = group_of(p)
	if (!(node in node_ns)) {
		group[++nr_groups] = node
		node_ns[node] = 0
		node_children[node] = ""
	}
	n = split(path_frames[p], frame, ";")
	if (path_work[p])
		n = path_work[p]
	for (i = 1; i <= n; i++) {
		child = node ";" frame[i]
		if (!(child in node_ns)) {
			node_children[node] = node_children[node] ";" frame[i]
			node_children[child] = ""
			node_ns[child] = node_samples[child] = node_anchored_ns[child] = node_leaf_ns[child] = 0
		}
		node = child
		node_ns[node] += ns
		node_samples[node] += samples
		if (i <= anchor)
			node_anchored_ns[node] += ns
	}
	node_leaf_ns[node] += ns
	path_node[p] = node
	ends_paths[node] = 1
}

function last_frame(node) {
	sub(/^.*;/, "", node)
	return node
}

function children_of(node, frame) {
	return node_children[node] == "" ? 0 : split(substr(node_children[node], 2), frame, ";")
}

function heaviest_child(node,	n, i, frame, best) {
	best = ""
	n = children_of(node, frame)
	for (i = 1; i <= n; i++)
		if (best == "" || node_ns[node ";" frame[i]] > node_ns[best])
			best = node ";" frame[i]
	return best
}

# From the culprit's outermost function to the one to name. In a task, that is the function that ended the
# windows; a handler has many functions, and many samples tell which of them it was.
function name_node(node, context,	child) {
	for (;;) {
		child = heaviest_child(node)
		if (child == "" || node_ns[child] < MOST * node_ns[node])
			break
		if (node_anchored_ns[child] * 2 < node_ns[child] && \
		    (context == "task" || node_samples[node] < MANY_SAMPLES || node_leaf_ns[child] > MOST * node_ns[child]))
			break
		node = child
	}
	return node
}

# Helpers are named by their callers.
function without_helpers(node, top) {
	while (node != top && is_a("helper", last_frame(node)))
		sub(/;[^;]*$/, "", node)
	return node
}

function callers_of(node, root,	n, i, frame, text) {
	text = ""
	n = split(substr(node, length(root) + 2), frame, ";")
	for (i = n - 1; i > 0; i--)
		text = text (text == "" ? "" : " < ") frame[i]
	return text
}

# What both lists of callers begin with.
function same_callers(a, b,	n, m, i, x, y, text) {
	n = split(a, x, " < ")
	m = split(b, y, " < ")
	text = ""
	for (i = 1; i <= n && i <= m && x[i] == y[i]; i++)
		text = text (i > 1 ? " < " : "") x[i]
	return text
}

function inside(node,	name, child, text) {
	name = node
	text = ""
	for (;;) {
		child = heaviest_child(node)
		if (child == "" || node_ns[child] * 2 < node_ns[name])
			return text
		node = child
		text = last_frame(node) (text == "" ? "" : " < ") text
	}
}

# The culprit of a path: its node, or the next one above, has it.
function culprit_of(p,	node) {
	for (node = path_node[p]; !(node in node_c) && sub(/;[^;]*$/, "", node); )
		;
	return node_c[node]
}

function add_row(node, root, function_node,	c, id, callers, part) {
	callers = callers_of(function_node, root)
	id = root SUBSEP last_frame(function_node)
	if (!(id in culprit_index)) {
		split(root, part, SUBSEP)
		c = culprit_index[id] = new_culprit(part[1], part[2], last_frame(function_node))
		c_task[c] = part[3]
		c_callers[c] = callers
		c_inside[c] = inside(function_node)
	} else {
		c = culprit_index[id]
		c_callers[c] = same_callers(c_callers[c], callers)
	}
	node_c[node] = c
}

function divide(node, root,	n, i, frame, part) {
	if (node != root && !is_a("common", last_frame(node))) {
		split(root, part, SUBSEP)
		add_row(node, root, without_helpers(name_node(node, part[2]), node))
		return
	}
	n = children_of(node, frame)
	for (i = 1; i <= n; i++)
		divide(node ";" frame[i], root)
	# Paths without any work end here.
	if (node in ends_paths)
		add_row(node, root, node)
}

function new_culprit(kind, context, name,	c) {
	c = ++nr_culprits
	c_kind[c] = kind
	c_context[c] = context
	c_function[c] = name == "-" ? "[unknown]" : name
	c_callers[c] = c_inside[c] = c_cpus[c] = c_task[c] = ""
	c_cgroup[c] = 0
	c_rank[c] = RANK_CULPRIT
	c_windows[c] = c_total_ns[c] = c_worst_ns[c] = c_samples[c] = 0
	c_waiters[c] = c_waited_ns[c] = c_waited_most_ns[c] = 0
	c_pids[c] = c_comms[c] = c_nr_cpus[c] = 0
	return c
}

# The row of windows that name nobody.
function nobody_culprit(why, kind,	c) {
	if (!(why in culprit_index)) {
		c = culprit_index[why] = new_culprit(kind, "", nobody_text[why])
		c_rank[c] = RANK_NOBODY
	}
	c = culprit_index[why]
	if (c_kind[c] != kind)
		c_kind[c] = "mixed"
	return c
}

# Window n has culprit c for ns.
function add_share_to(c, n, ns, pid, comm, samples) {
	c_total_ns[c] += ns
	c_samples[c] += samples
	c_pid[c] = pid
	c_comm[c] = comm
	if (!((c, pid) in culprit_pid)) {
		culprit_pid[c, pid] = 1
		c_pids[c]++
	}
	if (!((c, comm) in culprit_comm)) {
		culprit_comm[c, comm] = 1
		c_comms[c]++
	}
	if (!((c, held_cpu[n]) in culprit_cpu)) {
		culprit_cpu[c, held_cpu[n]] = 1
		c_nr_cpus[c]++
		c_cpus[c] = c_cpus[c] (c_cpus[c] == "" ? "" : ",") held_cpu[n]
	}
}

# Time spent waiting for a lock belongs to the lock's holder, not to this window's task.
function is_used(p) {
	return path_waits[p] != "lock"
}

# The tree, of all windows that have a culprit of their own.
function grow_tree(	n, i, nr, share, part, key, used_ns, used_samples, used, nr_used) {
	nr_used = 0
	for (n = 1; n <= nr_windows; n++) {
		if (held_nobody[n] != "" || held_holder[n])
			continue
		nr = split(held_paths[n], share, " ")
		for (i = 1; i <= nr; i++) {
			split(share[i], part, ":")
			if (!is_used(part[1]))
				continue
			key = part[1] ":" part[2]
			if (!(key in used_ns)) {
				used[++nr_used] = key
				used_ns[key] = used_samples[key] = 0
			}
			used_ns[key] += part[3]
			used_samples[key]++
		}
	}
	for (i = 1; i <= nr_used; i++) {
		split(used[i], part, ":")
		add_to_tree(part[1], part[2], used_ns[used[i]], used_samples[used[i]])
	}
}

function sum_window(n,	i, nr, share, part, c, ns, seen) {
	if (held_nobody[n] != "") {
		split(held_paths[n], share, " ")
		split(share[1], part, ":")
		c = held_c[n] = nobody_culprit(held_nobody[n], held_kind[n])
		add_share_to(c, n, held_ns[n], part[4], share_comm(share[1], part), held_samples[n])
		c_windows[c]++
		if (held_ns[n] > c_worst_ns[c])
			c_worst_ns[c] = held_ns[n]
		return
	}
	nr = split(held_paths[n], share, " ")
	for (i = 1; i <= nr; i++) {
		split(share[i], part, ":")
		if (!is_used(part[1]))
			continue
		c = culprit_of(part[1])
		if (!c_cgroup[c])
			c_cgroup[c] = path_cgroup[part[1]]
		add_share_to(c, n, part[3], part[4], share_comm(share[i], part), part[5])
		if (!(c in seen))
			c_windows[c]++
		seen[c] = (c in seen ? seen[c] : 0) + part[3]
		if (seen[c] > c_worst_ns[c])
			c_worst_ns[c] = seen[c]
		if (!held_c[n] || seen[c] > seen[held_c[n]])
			held_c[n] = c
	}
	if (!worst_n || held_ns[n] > held_ns[worst_n])
		worst_n = n
}

# END: all windows have been read.
function sum_up(	n, i, c) {
	find_incidents()
	grow_tree()
	for (i = 1; i <= nr_groups; i++)
		divide(group[i], group[i])
	for (n = 1; n <= nr_windows; n++) {
		held_c[n] = 0
		if (!held_holder[n])
			sum_window(n)
	}
	for (n = 1; n <= nr_windows; n++) {
		if (!held_holder[n])
			continue
		c = held_c[n] = held_c[held_holder[n]]
		c_waiters[c]++
		c_waited_ns[c] += held_ns[n]
		if (held_ns[n] > c_waited_most_ns[c])
			c_waited_most_ns[c] = held_ns[n]
	}
	rank_culprits()
}

function weight(c) {
	return (c_total_ns[c] + c_waited_ns[c]) * (c_kind[c] == "softirq" ? 1 : HARDIRQ_WEIGHT)
}

function comes_before(a, b) {
	return c_rank[a] != c_rank[b] ? c_rank[a] < c_rank[b] : weight(a) > weight(b)
}

# By shell sort, as there may be one culprit a record.
function rank_culprits(	gap, i, j, c) {
	for (i = 1; i <= nr_culprits; i++)
		rank[i] = i
	for (gap = nr_culprits; gap > 1; ) {
		gap = gap > 4 ? int(gap / 2.3) : 1
		for (i = gap + 1; i <= nr_culprits; i++) {
			c = rank[i]
			for (j = i - gap; j > 0 && comes_before(c, rank[j]); j -= gap)
				rank[j + gap] = rank[j]
			rank[j + gap] = c
		}
	}
}

# Who it was, of one window alone: for outputs that do not wait for the others.
function own_culprit(list,	p, n, frame, part) {
	split(list, part, ":")
	p = part[1]
	n = split(path_frames[p], frame, ";")
	if (is_impossible(p))
		return nobody_text[path_frames[p] == "[user]" ? "stopped" : "handler"]
	if (path_waits[p] == "lock")
		return "waits for a lock in " (path_work[p] ? frame[path_work[p]] : frame[n])
	n = part[2] > 0 ? part[2] : path_work[p] ? path_work[p] : n
	return frame[n] != "-" ? frame[n] : "[unknown]"
}
